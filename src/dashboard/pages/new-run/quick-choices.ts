import type { TestTemplate } from '../../../contract/browser.ts'

/** A choice of tests that people make often. */
interface QuickChoice {
  readonly label: string
  readonly includes: (test: TestTemplate) => boolean
}

/** Ids of the risks of the OWASP API Security Top 10 (2023) that a test is mapped to: "API1". */
export function risksOf({ compliance }: TestTemplate): string[] {
  const clauses = Object.values(compliance?.mapComplianceToListClauses ?? {}).flat()
  return clauses.flatMap((clause) => /^(API\d+):2023/.exec(clause)?.[1] ?? [])
}

/** The risks of the OWASP API Security Top 10 (2023), in their order. */
const owaspRisks: readonly { value: string; label: string }[] = [
  'Broken object level authorization',
  'Broken authentication',
  'Broken object property level authorization',
  'Unrestricted resource consumption',
  'Broken function level authorization',
  'Unrestricted access to sensitive business flows',
  'Server-side request forgery',
  'Security misconfiguration',
  'Improper inventory management',
  'Unsafe consumption of APIs',
].map((name, at) => ({ value: `API${at + 1}`, label: `API${at + 1} ${name}` }))

function ofRisks(...risks: readonly string[]): (test: TestTemplate) => boolean {
  return (test) => risksOf(test).some((risk) => risks.includes(risk))
}

/** Tests that send requests but ask for no change of data. */
function isHarmless(test: TestTemplate): boolean {
  return test.attributes?.nature._name !== 'INTRUSIVE'
}

const subsets: readonly QuickChoice[] = [
  { label: 'OWASP API Top 10', includes: (test) => risksOf(test).length > 0 },
  { label: 'Only authorization', includes: ofRisks('API1', 'API3', 'API5') },
  { label: 'Only authentication', includes: ofRisks('API2') },
  { label: 'Only those that change nothing', includes: isHarmless },
]

const allTests: QuickChoice = { label: 'All tests', includes: () => true }

/** Choices above the list of categories; those that choose every test have no button beside the one that says so. */
export function quickChoicesFor(tests: readonly TestTemplate[]): QuickChoice[] {
  return [allTests, ...subsets.filter(({ includes }) => !tests.every(includes))]
}

/** The risks as choices, each with the number of tests that look for it. */
export function risksWithCounts(tests: readonly TestTemplate[]): { value: string; label: string }[] {
  const mapped = tests.flatMap((test) => [...new Set(risksOf(test))])
  return owaspRisks.map(({ value, label }) => ({
    value,
    label: `${label} (${mapped.filter((risk) => risk === value).length})`,
  }))
}
