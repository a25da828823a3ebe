import { severities as knownSeverities } from '../../contract/index.ts'
import type { IssueFilter, IssueSource } from '../../issues/index.ts'
import { Failure, isHexId } from '../../kit/index.ts'
import type { NewReport } from '../../reports/index.ts'

type Filters = NewReport['filters']

/** The values of a filter as text. */
export function filterTexts(filters: Filters, name: string): string[] {
  return Object.hasOwn(filters, name) ? filters[name]!.map(String) : []
}

function numbers(filters: Filters, name: string): number[] {
  return filterTexts(filters, name).map(Number).filter(Number.isSafeInteger)
}

/**
 * The execution that a report is about; null for a report of issues.
 *
 * @throws Failure TEST_RUN_SUMMARY_NOT_FOUND when the id is none
 */
export function summaryOf(filters: Filters): string | null {
  const [id] = filterTexts(filters, 'testingRunResultSummaryId')
  if (id === undefined || id === '') return null
  if (!isHexId(id.toLowerCase())) throw new Failure('TEST_RUN_SUMMARY_NOT_FOUND', {})
  return id.toLowerCase()
}

/** Collections that filters name. */
export function collectionsOf(filters: Filters): number[] {
  return numbers(filters, 'filterCollectionsId')
}

/** The issues that a report is about: exactly the given ones, or those that fit the filters; without any, the OPEN ones. */
export function issueFilterOf({ filters, issueKeys, visible }: Omit<NewReport, 'userLogin'>): IssueFilter {
  if (issueKeys !== null)
    return { visible, keys: issueKeys.map((key) => ({ ...key, source: key.source as IssueSource })) }
  const statuses = filterTexts(filters, 'filterStatus')
  const severities = filterTexts(filters, 'filterSeverity').filter((one) =>
    (knownSeverities as readonly string[]).includes(one),
  )
  const [activeOnly] = filterTexts(filters, 'activeCollections')
  return {
    visible,
    collectionIds: collectionsOf(filters),
    severities,
    testIds: filterTexts(filters, 'filterSubCategory'),
    statuses: statuses.length > 0 ? statuses : ['OPEN'],
    createdFrom: numbers(filters, 'startEpoch')[0] ?? numbers(filters, 'startTimeStamp')[0] ?? 0,
    createdBefore: numbers(filters, 'endTimeStamp')[0] ?? 0,
    activeOnly: activeOnly === 'true',
  }
}
