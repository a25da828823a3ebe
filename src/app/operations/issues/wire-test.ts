import type { severities, TestCategory, TestTemplate } from '../../../contract/index.ts'
import type { CatalogueEntry } from '../../../testing/index.ts'
import type { App } from '../../handler.ts'
import { testCategories } from './test-categories.ts'

type Severity = (typeof severities)[number]

/** Tests of severity INFO make no issue; the interface has no word for them here. */
function severityWord(severity: CatalogueEntry['severity']): { _name: Severity } {
  return { _name: severity === 'INFO' ? 'LOW' : severity }
}

/** A test on the wire; without YAML its source and date are left out too. */
export function wireTest(entry: CatalogueEntry, hasContent: boolean): TestTemplate {
  return {
    name: entry.id,
    _name: entry.id,
    testName: entry.name,
    issueDescription: entry.description,
    issueDetails: entry.details,
    issueImpact: entry.impact,
    issueTags: entry.tags,
    references: entry.links,
    cwe: entry.cwe,
    cve: entry.cve,
    compliance:
      entry.compliance === null
        ? null
        : { mapComplianceToListClauses: entry.compliance, author: null, source: null, hash: 0 },
    remediation: entry.remediation,
    superCategory: {
      name: entry.category,
      displayName: entry.categoryDisplay,
      shortName: entry.categoryShort,
      severity: severityWord(entry.severity),
    },
    content: hasContent ? entry.content : null,
    templateSource: hasContent ? { _name: entry.source === 'LIBRARY' ? 'LIBRARY' : 'CUSTOM' } : null,
    attributes: entry.attributes && {
      plan: { _name: entry.attributes.plan },
      nature: { _name: entry.attributes.nature },
      duration: { _name: entry.attributes.duration },
    },
    updatedTs: hasContent ? entry.updatedAt : 0,
    author: entry.author,
    inactive: entry.isInactive,
    estimatedTokens: 0,
  }
}

/** All categories on the wire: the known ones, and those that only tests of this installation name. */
export async function wireCategories({ catalogue }: App): Promise<TestCategory[]> {
  const known = new Set(testCategories.map(({ name }) => name))
  const others = (await catalogue.categories()).filter(({ name }) => !known.has(name))
  return [...testCategories, ...others.map((one) => ({ ...one, severity: 'HIGH' as const }))].map(
    ({ name, displayName, shortName, severity }) => ({
      _name: name,
      name,
      displayName,
      shortName,
      severity: { _name: severity },
    }),
  )
}
