import { expect, test } from 'vitest'
import { describeFailure } from '../../contract/describe-failure.ts'
import { Failure } from '../../kit/index.ts'
import { errorsOf } from './result-selection.ts'

test('a result that lacks a role names it', () => {
  const explanation = 'The test needs credentials of the role MEMBER: add them to the role.'
  expect(errorsOf({ outcome: 'ROLE_NOT_FOUND', explanation })).toEqual([
    'A test role or setting that the test needs is missing',
    explanation,
  ])
  expect(errorsOf({ outcome: 'NO_PATH', explanation: 'The endpoint has no sample.' })).toHaveLength(1)
})

test('a refused role is named', () => {
  expect(describeFailure(new Failure('TEST_ROLE_NOT_FOUND', { role: 'Clerk' })).messages).toEqual([
    'Test role not found',
    'No test role has the name or identifier Clerk',
  ])
})
