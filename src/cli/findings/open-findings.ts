import type { IssueGroup } from '../../contract/index.ts'
import { causeFingerprint } from '../scan/fingerprint.ts'
import { type FindingSource, sortFindings } from '../scan/gather-findings.ts'
import { pathOf } from '../scan/path-of.ts'
import type { FindingPlace, ScanFinding, Severity } from '../scan/scan-result.ts'

const PAGE = 100

/** Open and ignored issues of a collection, one finding for each cause, the worst first. */
export async function openFindings(source: FindingSource, collectionId: number): Promise<ScanFinding[]> {
  const findings: ScanFinding[] = []
  for (let skip = 0; ; skip += PAGE) {
    const { issueGroups } = await source.client.op.fetchIssueGroups({
      ...{ filterCollectionsId: [collectionId], filterStatus: ['OPEN', 'IGNORED'], limit: PAGE, skip },
    })
    for (const group of issueGroups) findings.push(await findingOf(source, group))
    if (issueGroups.length < PAGE) return sortFindings(findings)
  }
}

async function findingOf(source: FindingSource, group: IssueGroup): Promise<ScanFinding> {
  const { issue, causeScope, causePlace, issueIds, status } = group
  const { method, url } = issue.id.apiInfoKey
  const testId = issue.id.testSubCategory
  const test = source.tests.get(testId)
  const severity = group.severity as Severity
  const reason = await reasonOf(source, issue.testingRunResultHexId)
  const places = issueIds.map((id): FindingPlace => {
    const isShown =
      id.testSubCategory === testId && id.apiInfoKey.url === url && id.apiInfoKey.method === method
    return {
      method: id.apiInfoKey.method,
      path: pathOf(id.apiInfoKey.url),
      testId: id.testSubCategory,
      testName: source.tests.get(id.testSubCategory)?.testName ?? id.testSubCategory,
      severity,
      reason: isShown ? reason : '',
      resultId: isShown ? (issue.testingRunResultHexId ?? '') : '',
    }
  })
  return {
    fingerprint: causeFingerprint({
      ...{ scope: causeScope, family: issue.causeFamily, place: causePlace, method, path: pathOf(url) },
    }),
    status: status === 'IGNORED' ? 'IGNORED' : 'NEW',
    ignoreReason: status === 'IGNORED' ? issue.ignoreReason : null,
    severity,
    testId,
    name: test?.testName ?? testId,
    category: test?.superCategory.displayName ?? '',
    scope: causeScope,
    part: causePlace,
    places,
    proof: null,
  }
}

/** What the newest proof showed; results are deleted before their issues. */
async function reasonOf({ client }: FindingSource, testingRunResultHexId: string | null): Promise<string> {
  if (!testingRunResultHexId) return ''
  const { testingRunResult } = await client.op.fetchTestRunResultDetails({ testingRunResultHexId })
  return testingRunResult?.testResults[0]?.validationReason ?? ''
}
