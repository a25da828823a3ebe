import { expect, test } from 'vitest'
import type { Issue, TestTemplate } from '../../../contract/browser.ts'
import { issuesAsCsv } from './issues-as-csv.ts'

test('quotes what must be quoted and starts no formula', () => {
  const issue = {
    id: {
      testSubCategory: 'T',
      testErrorSource: 'AUTOMATED_TESTING',
      apiInfoKey: { apiCollectionId: 7, method: 'GET', url: '/a,b' },
    },
    severity: 'HIGH',
    testRunIssueStatus: 'OPEN',
    creationTime: 1_769_854_904,
    lastSeen: 0,
    assignee: null,
    ignoreReason: null,
    ignoredUntil: 0,
    dueAt: 1_770_459_704,
    tags: ['payments', 'team-a'],
    description: '=HYPERLINK("http://evil.test")',
  } as Issue
  const known = new Map([['T', { testName: 'A weakness', cwe: ['CWE-89'] } as unknown as TestTemplate]])
  const [, line] = issuesAsCsv([issue], known, 'https://vigil.test').split('\r\n')
  expect(line).toBe(
    `HIGH,OPEN,A weakness,T,CWE-89,GET,"/a,b",7,2026-01-31T10:21:44.000Z,,,,,2026-02-07T10:21:44.000Z,payments team-a,"'=HYPERLINK(""http://evil.test"")",,https://vigil.test/issues/one?test=T&collection=7&method=GET&url=%2Fa%2Cb`,
  )
})
