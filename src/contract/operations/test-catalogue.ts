import { pageLimits } from '../limits.ts'
import { group, operation, root, wide } from '../operation.ts'
import { issueObject } from '../records/issue-object.ts'
import { required } from '../request-field.ts'
import { document, flag, integer, text } from '../schema.ts'

const shared = {
  inSpecification: true,
  specified: 'open',
  note: 'The answer is not shown there.',
  role: 'GUEST',
  access: 'read',
  idempotent: true,
} as const

const category = {
  name: 'BOLA',
  displayName: 'Broken Object Level Authorization (BOLA)',
  shortName: 'BOLA',
  severity: { _name: 'HIGH' },
}

const { tests } = pageLimits

/** The tests and what to do about their findings, by their wire names. */
export const testCatalogueOperations = group('issues', {
  fetchAllSubCategories: operation({
    ...shared,
    summary: 'Pages through the tests and their categories',
    description: `Tests by id; a page shorter than limit is the last. categories holds all categories on every page. The severity in superCategory is that of the test. mode runTests leaves the YAML out, testEditor and Dashboard bring it. Limits of 0 or less give none, the most is ${tests.most}.`,
    request: {
      mode: required(text(), 'runTests, testEditor or Dashboard; any other word means Dashboard.', {
        default: 'Dashboard',
      }),
      fetchOnlyActive: required(flag(), 'Leave out inactive tests.', { default: false }),
      limit: required(integer(), 'Tests per page.', { default: tests.byDefault }),
      skip: required(integer(), 'Tests to leave out.', { default: 0 }),
    },
    answer: wide(issueObject, ['subCategories', 'categories', 'testSourceConfigs']),
    errors: [],
    example: {
      request: { mode: 'Dashboard', fetchOnlyActive: false, limit: 50, skip: 0 },
      response: {
        subCategories: [
          {
            name: 'REPLACE_AUTH_TOKEN',
            _name: 'REPLACE_AUTH_TOKEN',
            testName: 'Objects of one user read with the token of another',
            issueDescription: 'Another user reads the object.',
            issueDetails: 'The endpoint does not check who owns the object.',
            issueImpact: 'Data of every user can be read.',
            issueTags: ['OWASP top 10'],
            references: ['https://owasp.org/API-Security/'],
            cwe: ['CWE-284'],
            cve: [],
            compliance: {
              mapComplianceToListClauses: { 'ISO 27001': ['A.9.4.1'] },
              author: null,
              source: null,
              hash: 0,
            },
            remediation: null,
            superCategory: category,
            content: 'id: REPLACE_AUTH_TOKEN\n',
            templateSource: { _name: 'LIBRARY' },
            attributes: {
              plan: { _name: 'FREE' },
              nature: { _name: 'NON_INTRUSIVE' },
              duration: { _name: 'FAST' },
            },
            updatedTs: 1769800000,
            author: null,
            inactive: false,
            estimatedTokens: 0,
          },
        ],
        categories: [{ _name: 'BOLA', ...category }],
        testSourceConfigs: [],
      },
    },
  }),

  fetchRemediationInfo: operation({
    ...shared,
    summary: 'Shows how to remedy a weakness',
    description:
      'The body is Markdown as a JSON string; empty for an unknown id. The id is the path of a document, the id of a test or the id of a filter.',
    request: {
      testId: required(text(), 'For example tests-library-master/remediation/REPLACE_AUTH_TOKEN.md.'),
    },
    answer: root(document({ description: 'Markdown.' })),
    errors: ['TEST_ID_EMPTY'],
    example: {
      request: { testId: 'tests-library-master/remediation/REPLACE_AUTH_TOKEN.md' },
      response: '## Remediation\n\nCompare the owner of the object with the caller.\n',
    },
  }),
})
