import type { TestResult } from '../../../contract/browser.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { findingAsMarkdown } from '../../components/testing/exchange-text.ts'
import type { ResultEvidence } from '../../components/testing/read-evidence.ts'
import { testTitle, useTests } from '../../data/use-tests.ts'

interface MarkdownButtonProps {
  readonly result: TestResult
  readonly evidence: ResultEvidence
}

/** Copies what a ticket needs: title, endpoint, command, request and answer of the attempt that proves it. */
export function MarkdownButton({ result, evidence }: MarkdownButtonProps) {
  const { byId } = useTests()
  const attempt = evidence.attempts.find(({ validates }) => validates) ?? evidence.attempts[0]
  if (!attempt?.exchange) return null
  const { method, url } = result.apiInfoKey
  const text = findingAsMarkdown({
    title: testTitle(byId, result.testSubType),
    endpoint: `${method} ${url}`,
    explanation: result.testResults[0]?.validationReason ?? '',
    curl: attempt.curl,
    exchange: attempt.exchange,
    link: `${location.origin}/results/${result.hexId}`,
  })
  return <CopyButton text={text} what="the finding as Markdown" label="Copy as Markdown" />
}
