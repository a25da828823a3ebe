import type { Issue, TestTemplate } from '../../../contract/browser.ts'
import { issueAddress } from '../../components/testing/issue-address.ts'

const levels: Readonly<Record<string, string>> = {
  CRITICAL: 'error',
  HIGH: 'error',
  MEDIUM: 'warning',
  LOW: 'note',
}

/**
 * Issues as a log of SARIF 2.1.0: one rule per test, one result per place; fixed and ignored ones are kept as such.
 *
 * @param origin address of the dashboard, for links
 */
export function issuesAsSarif(
  issues: readonly Issue[],
  byId: ReadonlyMap<string, TestTemplate>,
  origin: string,
): object {
  const ids = [...new Set(issues.map(({ id }) => id.testSubCategory))]
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'Vigil', rules: ids.map((id) => ruleOf(id, byId.get(id))) },
        },
        results: issues.map((issue) => resultOf(issue, ids.indexOf(issue.id.testSubCategory), byId, origin)),
      },
    ],
  }
}

function ruleOf(id: string, test: TestTemplate | undefined) {
  return {
    id,
    shortDescription: { text: test?.testName || id },
    ...(test?.issueDescription ? { fullDescription: { text: test.issueDescription } } : {}),
    ...(test?.cwe?.length ? { properties: { tags: [...new Set(test.cwe)] } } : {}),
  }
}

function resultOf(issue: Issue, ruleIndex: number, byId: ReadonlyMap<string, TestTemplate>, origin: string) {
  const { testSubCategory, apiInfoKey } = issue.id
  const { method, url } = apiInfoKey
  const title = byId.get(testSubCategory)?.testName || testSubCategory
  return {
    ruleId: testSubCategory,
    ruleIndex,
    level: levels[issue.severity] ?? 'warning',
    message: { text: `${title} at ${method} ${url}. Details: ${origin}${issueAddress(issue.id)}` },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: uriOf(url) } },
        logicalLocations: [{ fullyQualifiedName: `${method} ${url}`, kind: 'resource' }],
      },
    ],
    partialFingerprints: {
      'vigilPlace/v1': `${testSubCategory} ${apiInfoKey.apiCollectionId} ${method} ${url}`,
    },
    ...(issue.testRunIssueStatus === 'FIXED' ? { baselineState: 'absent' } : {}),
    ...(issue.testRunIssueStatus === 'IGNORED'
      ? { suppressions: [{ kind: 'external', justification: issue.ignoreReason ?? '' }] }
      : {}),
  }
}

/** The URL without what a relative reference cannot hold. */
function uriOf(url: string): string {
  return encodeURI(url.replace(/^\/+/, '')).replaceAll('\\', '%5C') || 'api'
}
