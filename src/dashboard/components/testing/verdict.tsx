import type { TestResult } from '../../../contract/browser.ts'
import { Tag, type TagTone } from '../tag.tsx'

/** What became of one test on one endpoint. */
export interface Verdict {
  readonly word: string
  readonly tone: TagTone
}

/** The selections of results that lists offer, in the order of interest. */
export const verdictModes = [
  { mode: 'VULNERABLE', word: 'Vulnerable' },
  { mode: 'SECURED', word: 'Passed' },
  { mode: 'SKIPPED_EXEC', word: 'Left out' },
  { mode: 'SKIPPED_EXEC_NEED_CONFIG', word: 'Needs configuration' },
  { mode: 'SKIPPED_EXEC_API_REQUEST_FAILED', word: 'No answer' },
  { mode: 'IGNORED_ISSUES', word: 'Ignored or fixed' },
  { mode: 'ALL', word: 'All' },
] as const

/** One of the selections of results. */
export type VerdictMode = (typeof verdictModes)[number]['mode']

/** The verdict of a result in words. What was not tested is never called passed. */
export function verdictOf(result: TestResult): Verdict {
  if (result.vulnerable) {
    return result.ignoredResult ? { word: 'Ignored', tone: 'gray' } : { word: 'Vulnerable', tone: 'red' }
  }
  if (result.testResults.some((attempt) => attempt.requiresConfig)) {
    return { word: 'Needs configuration', tone: 'orange' }
  }
  if (result.errorsList.length > 0) return { word: 'Not tested', tone: 'gray' }
  return { word: 'Passed', tone: 'green' }
}

/** The verdict of a result. */
export function VerdictTag({ result }: { result: TestResult }) {
  const { word, tone } = verdictOf(result)
  return <Tag tone={tone}>{word}</Tag>
}
