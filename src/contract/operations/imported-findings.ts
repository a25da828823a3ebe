import { group, operation, root } from '../operation.ts'
import { sentIssueId } from '../records/issue.ts'
import { required } from '../request-field.ts'
import { document, epochSeconds, list, model, nullable, oneOf, text } from '../schema.ts'
import { severities } from '../vocabulary.ts'
import { exampleIssueId } from './issue-examples.ts'

const shared = {
  inSpecification: false,
  specified: 'open',
  note: 'Not an operation of the specification.',
  role: 'GUEST',
  access: 'read',
  idempotent: true,
} as const

const importedRule = model('ImportedRule', 'What another scanner looks for, in its own words.', {
  id: text({ description: 'Tool and its own id, such as ZAP:40018; testSubCategory of its issues.' }),
  tool: text({ description: 'ZAP or nuclei.' }),
  name: text(),
  description: text(),
  remediation: text({ description: 'Empty when the tool tells none.' }),
  category: text({ description: 'Name of the category of tests that its CWE belongs to; UC for none.' }),
  severity: oneOf(severities),
  cwe: list(text()),
  cve: list(text()),
  references: list(text({ description: 'URL.' })),
})

const exampleRule = {
  id: 'ZAP:40018',
  tool: 'ZAP',
  name: 'SQL Injection',
  description: 'SQL injection may be possible.',
  remediation: 'Use prepared statements.',
  category: 'INJECT',
  severity: 'HIGH',
  cwe: ['CWE-89'],
  cve: [],
  references: ['https://cheatsheetseries.owasp.org/cheatsheets/SQL_Injection_Prevention_Cheat_Sheet.html'],
} as const

/** Findings of other scanners, by their wire names. */
export const importedFindingOperations = group('issues', {
  fetchImportedRules: operation({
    ...shared,
    summary: 'Lists the rules of other scanners that issues came from',
    description:
      'Rules of the imported issues in collections the caller may see, by id; 5,000 at most, their texts cut at 2,000 characters. fetchAllSubCategories lists the tests of Vigil.',
    request: {},
    answer: root(model('ImportedRules', 'Rules of other scanners.', { rules: list(importedRule) })),
    errors: [],
    example: { request: {}, response: { rules: [exampleRule] } },
  }),

  fetchImportedFinding: operation({
    ...shared,
    summary: 'Shows what another scanner reported for an issue',
    description:
      'The newest evidence of an issue whose testErrorSource is IMPORT, with credentials and values of sensitive data types masked when it was stored.',
    request: { issueId: required(sentIssueId, 'The issue.') },
    answer: root(
      model('ImportedFinding', 'What another scanner reported for an issue.', {
        tool: text({ description: 'ZAP or nuclei.' }),
        uploadId: text({ description: 'The import that brought it last, for fetchImportReport.' }),
        foundTs: epochSeconds('When the scanner found it.'),
        evidence: list(
          model('ImportedEvidence', 'One place in the request.', {
            part: text({
              description: 'The part of the request, such as "query id"; empty when none is named.',
            }),
            explanation: text({ description: 'What the tool quotes and says, a line each.' }),
            message: nullable(
              document({
                description: 'The exchange as a sample message; null when the file had no messages.',
              }),
            ),
          }),
          { description: '20 at most.' },
        ),
      }),
    ),
    errors: ['ISSUE_NOT_FOUND', 'NOT_IMPORTED'],
    example: {
      request: { issueId: { ...exampleIssueId, testSubCategory: 'ZAP:40018', testErrorSource: 'IMPORT' } },
      response: {
        tool: 'ZAP',
        uploadId: '697dd9e4aabbccddeeff0033',
        foundTs: 1769854504,
        evidence: [{ part: 'query id', explanation: "Attack: 1' OR '1'='1", message: null }],
      },
    },
  }),
})
