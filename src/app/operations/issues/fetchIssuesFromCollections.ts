import { listCollections } from '../../../inventory/index.ts'
import { countByStatus, listIssues } from '../../../issues/index.ts'
import { Failure } from '../../../kit/index.ts'
import { baseUrlOf } from '../../base-url.ts'
import type { Call, Handler } from '../../handler.ts'

/** Issues of collections named by name, with what is known of their tests. */
export const fetchIssuesFromCollections: Handler<'fetchIssuesFromCollections'> = async (input, call) => {
  const { app, caller } = call
  const filter = {
    visible: caller.collectionIds,
    collectionIds: await idsOfNames(call, input.filterCollectionNames),
    statuses: input.filterStatus,
    severities: input.filterSeverity,
    createdFrom: input.startEpoch,
    createdBefore: input.endTimeStamp,
  }
  const issues = await listIssues(app.store, filter, {
    sort: 'creationTime',
    isAscending: false,
    skip: input.skip,
    limit: input.limit,
  })
  const counts = await countByStatus(app.store, filter)
  const entries = await app.catalogue.described([...new Set(issues.map((issue) => issue.testId))])
  const tests = new Map(entries.map((entry) => [entry.id, entry]))
  const site = (input.siteUrl ?? baseUrlOf(app.settings)).replace(/\/+$/, '')
  return {
    issueDetails: issues.map((issue) => {
      const test = tests.get(issue.testId)
      return {
        apiUrl: issue.url,
        apiMethod: issue.method,
        apiCollectionId: issue.collectionId,
        testSubCategory: issue.testId,
        status: issue.status,
        severity: issue.severity,
        creationTime: issue.createdAt,
        lastSeen: issue.lastSeen,
        issueUrl: `${site}/dashboard/issues?result=${issue.resultId ?? ''}`,
        testName: test?.name ?? null,
        testDescription: test?.description ?? null,
        testDetails: test?.details ?? null,
        testImpact: test?.impact ?? null,
        testRemediation: test?.remediation ?? null,
        testSeverityFromTemplate: test?.severity ?? null,
        testTags: test?.tags ?? [],
        testReferences: test?.links ?? [],
        testCwe: test?.cwe ?? [],
        testCve: test?.cve ?? [],
        testCategory: issue.category,
      }
    }),
    openIssuesCount: counts.OPEN,
    fixedIssuesCount: counts.FIXED,
    ignoredIssuesCount: counts.IGNORED,
  }
}

/** @throws Failure COLLECTION_NAMES_REQUIRED, NO_COLLECTION_MATCHES */
async function idsOfNames({ app, caller }: Call, names: readonly string[]): Promise<number[]> {
  if (names.length === 0) throw new Failure('COLLECTION_NAMES_REQUIRED', {})
  const wanted = new Set(names)
  const collections = await listCollections(app.store, { ids: caller.collectionIds })
  const ids = collections.filter(({ name }) => wanted.has(name)).map(({ id }) => id)
  if (ids.length === 0) throw new Failure('NO_COLLECTION_MATCHES', { names: names.join(', ') })
  return ids
}
