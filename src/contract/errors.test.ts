import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Failure } from '../kit/index.ts'
import { describeFailure, renderMessage } from './describe-failure.ts'
import { errorGroups, errorRow, errorTable } from './errors.ts'

const rows = Object.entries(errorTable)

test.each(rows)('%s has a status of its class, a sentence and a remedy', (code, row) => {
  expect(code).toMatch(/^[A-Z][A-Z0-9_]+$/)
  expect(row.status).toBeGreaterThanOrEqual(400)
  expect(row.status).toBeLessThan(600)
  expect(row.message.length).toBeGreaterThan(3)
  expect(row.remedy).toMatch(/\.$/)
})

test('each code is in one group only', () => {
  const codes = Object.values(errorGroups).flatMap((group) => Object.keys(group))
  expect([...codes].sort()).toEqual(Object.keys(errorTable).sort())
})

test('a failure of the table gives its row with the details filled in', () => {
  expect(describeFailure(new Failure('FIELD_REQUIRED', { field: 'url' }))).toEqual({
    status: 422,
    messages: ['url is required'],
    code: 'FIELD_REQUIRED',
  })
  expect(describeFailure(new Failure('ROLE_DENIED', { role: 'GUEST' })).messages).toEqual([
    "The role 'GUEST' does not have access.",
  ])
})

test('a wait comes from the row, or from the failure', () => {
  expect(describeFailure(new Failure('OVERLOADED'))).toMatchObject({ status: 503, retryAfterSeconds: 2 })
  expect(describeFailure(new Failure('TOO_MANY_REQUESTS', { retryAfterSeconds: 60 }))).toMatchObject({
    status: 429,
    messages: ['Too many requests, try again in 60 seconds'],
    retryAfterSeconds: 60,
  })
})

test.each([
  [new Error('secret')],
  [new Failure('NO_SUCH_CODE')],
  [new Failure('constructor')],
  ['text'],
  [null],
])('anything else is an internal error that reveals nothing: %s', (error) => {
  expect(describeFailure(error)).toEqual({ status: 500, messages: ['Internal error'], code: 'INTERNAL' })
})

test('a placeholder without a detail stays readable', () => {
  expect(renderMessage('Invalid {what} at {toString}', {})).toBe('Invalid what at toString')
})

test('every failure that the sources throw has a row', () => {
  const root = join(import.meta.dirname, '..')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts'),
  )
  const missing = new Set<string>()
  for (const file of files) {
    const source = readFileSync(join(root, file), 'utf8')
    for (const [, code] of source.matchAll(/new Failure\(\s*'(\w+)'/g)) {
      if (errorRow(code!) === undefined) missing.add(`${code} (${file})`)
    }
  }
  expect([...missing]).toEqual([])
})
