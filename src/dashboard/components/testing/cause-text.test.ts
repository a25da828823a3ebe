import { expect, test } from 'vitest'
import type { IssueGroup, TestTemplate } from '../../../contract/browser.ts'
import { groupTitle } from './cause-text.ts'

const titles: Record<string, string> = {
  QUOTE: 'SQL injection (error-based) in query parameter',
  WAIT: 'SQL injection (time-based blind, MySQL) in query parameter',
  READ: 'Broken object level authorization (BOLA/IDOR): read',
  UPDATE: 'Broken object level authorization (BOLA/IDOR): update',
  FETCH: 'Server-side request forgery (SSRF) via request body',
  METADATA: 'SSRF to cloud metadata via request body',
}
const byId = new Map(Object.entries(titles).map(([id, testName]) => [id, { testName } as TestTemplate]))

function titleOf(...testSubCategories: string[]): string {
  const issue = { id: { testSubCategory: testSubCategories[0]! } } as IssueGroup['issue']
  return groupTitle(byId, { issue, testSubCategories } as unknown as IssueGroup)
}

test('an issue found by several tests is called by the class of weakness that they share', () => {
  expect(titleOf('QUOTE')).toBe(titles['QUOTE'])
  expect(titleOf('QUOTE', 'WAIT')).toBe('SQL injection')
  expect(titleOf('READ', 'UPDATE')).toBe('Broken object level authorization (BOLA/IDOR)')
})

test('tests whose titles share no class leave it the title of the one that stands for them', () => {
  expect(titleOf('FETCH', 'METADATA')).toBe(titles['FETCH'])
})
