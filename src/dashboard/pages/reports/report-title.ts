import type { ResponseOf } from '../../../contract/browser.ts'

type ListedReport = ResponseOf<'fetchReports'>['reports'][number]

const filterWords: Record<string, string> = {
  filterStatus: 'status',
  filterSeverity: 'severity',
  filterSubCategory: 'test',
  filterCollectionsId: 'collection',
  filterCompliance: 'standard',
}

/** What a report is about, in a line. */
export function reportTitle(
  report: Pick<ListedReport, 'testingRunName' | 'testingRunHexId' | 'filtersForReport' | 'issuesCount'>,
  collections: ReadonlyMap<number, string>,
): string {
  if (report.filtersForReport['testingRunResultSummaryId'] !== undefined) {
    if (report.testingRunHexId === null) return 'A run that was deleted'
    return `Run ${report.testingRunName || 'without a name'}`
  }
  if (report.issuesCount !== null) return `${report.issuesCount} chosen issues`
  const parts = Object.entries(report.filtersForReport).flatMap(([name, values]) => {
    const word = Object.hasOwn(filterWords, name) ? filterWords[name] : undefined
    if (word === undefined || values.length === 0) return []
    const shown =
      name === 'filterCollectionsId'
        ? values.map((id) => collections.get(Number(id)) ?? id)
        : name === 'filterSubCategory'
          ? values
          : values.map((value) => value.toLowerCase())
    return [`${word} ${shown.join(', ')}`]
  })
  return parts.length === 0 ? 'All open issues' : `Issues: ${parts.join('; ')}`
}
