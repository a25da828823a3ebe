import { type SeverityCounts, severities } from '../../../contract/browser.ts'

/** A text that orders collections by their worst issues: the next severity counts only where those above are equal. */
export function issueRank(issues: Partial<SeverityCounts> | null | undefined): string {
  if (!issues) return ''
  return severities.map((severity) => String(issues[severity] ?? 0).padStart(10, '0')).join(' ')
}
