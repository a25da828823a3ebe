import type { Static } from 'typebox'
import {
  document,
  epochSeconds,
  flag,
  integer,
  list,
  mapOf,
  model,
  nullable,
  oneOf,
  text,
} from '../schema.ts'
import { severities, testSources } from '../vocabulary.ts'

const word = text({ description: 'The word.' })

const severityWord = model('SeverityWord', 'A severity, wrapped.', { _name: oneOf(severities) })

export const compliance = model('Compliance', 'Clauses of standards that a weakness touches.', {
  mapComplianceToListClauses: mapOf(list(text()), { description: 'Standard to its clauses.' }),
  author: nullable(text()),
  source: nullable(text()),
  hash: integer(),
})

const categoryFields = {
  name: text({ description: 'Name of the category, as testSuperType.' }),
  displayName: text(),
  shortName: text(),
}

export const testCategory = model('TestCategory', 'A category of tests.', {
  _name: text({ description: 'The same as name.' }),
  ...categoryFields,
  severity: severityWord,
})

export const testTemplate = model('TestTemplate', 'A test of the library.', {
  name: text({ description: 'Id of the test.' }),
  _name: text({ description: 'The same as name.' }),
  testName: text({ description: 'Title.' }),
  issueDescription: nullable(text()),
  issueDetails: nullable(text()),
  issueImpact: nullable(text()),
  issueTags: list(text()),
  references: list(text({ description: 'URL.' })),
  cwe: list(text()),
  cve: list(text()),
  compliance: nullable(compliance),
  remediation: nullable(document({ description: 'Markdown; null when fetchRemediationInfo has the text.' })),
  superCategory: model('TestSuperCategory', 'The category of a test with the severity of that test.', {
    ...categoryFields,
    severity: severityWord,
  }),
  content: nullable(document({ description: 'YAML of the test; null where the mode leaves it out.' })),
  templateSource: nullable(model('TestSource', 'Where a test came from.', { _name: oneOf(testSources) })),
  attributes: nullable(
    model('TestAttributes', 'What running a test means.', {
      plan: model('TestPlan', 'Always FREE.', { _name: word }),
      nature: model('TestNature', 'INTRUSIVE or NON_INTRUSIVE.', { _name: word }),
      duration: model('TestDuration', 'SLOW or FAST.', { _name: word }),
    }),
  ),
  updatedTs: epochSeconds('0 where the mode leaves the YAML out.'),
  author: nullable(text()),
  inactive: flag({ description: 'Left out of runs.' }),
  estimatedTokens: integer(),
})

export type TestTemplate = Static<typeof testTemplate>
export type TestCategory = Static<typeof testCategory>
