import type { TestResult } from '../../../contract/browser.ts'
import { Tag, type TagTone } from '../tag.tsx'

/** What became of one test on one endpoint. */
interface Verdict {
  readonly word: string
  readonly tone: TagTone
}

/** The selections of results that lists offer, in the order of interest. */
export const verdictModes = [
  { mode: 'VULNERABLE', word: 'Vulnerable' },
  { mode: 'SECURED', word: 'Passed' },
  { mode: 'SKIPPED_EXEC', word: 'Skipped' },
  { mode: 'SKIPPED_EXEC_NEED_CONFIG', word: 'Needs configuration' },
  { mode: 'SKIPPED_EXEC_API_REQUEST_FAILED', word: 'Not verified' },
  { mode: 'IGNORED_ISSUES', word: 'Ignored or fixed' },
  { mode: 'ALL', word: 'All' },
] as const

/** One of the selections of results. */
export type VerdictMode = (typeof verdictModes)[number]['mode']

/** The verdict of a result in words. What was not tested is never called passed. */
function verdictOf(result: TestResult): Verdict {
  if (result.vulnerable) return { word: 'Vulnerable', tone: 'red' }
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

const triageWords = { OPEN: 'Issue open', IGNORED: 'Issue ignored', FIXED: 'Issue fixed' } as const

/** What became of the issue of a finding since; the finding itself stays as it was recorded. */
export function TriageTag({ result }: { result: TestResult }) {
  const status = result.issueStatus
  if (status === null || status === undefined) return null
  return (
    <Tag tone={status === 'OPEN' ? 'orange' : status === 'FIXED' ? 'green' : 'gray'}>
      {triageWords[status]}
    </Tag>
  )
}
