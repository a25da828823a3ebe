import { expect, test } from 'vitest'
import { describeFailure } from '../../src/contract/describe-failure.ts'
import { readRequest } from '../../src/contract/read-request.ts'
import { operationList } from '../../src/contract/registry.ts'
import type { OperationName } from '../../src/contract/types.ts'
import { accessCases, readingCases } from './contract-cases.ts'

test('reading a body goes as every case says', () => {
  const wrong: string[] = []
  for (const { operation, about, body, refusal } of readingCases()) {
    const told = outcome(operation as OperationName, body)
    if (told !== (refusal?.message ?? 'read')) wrong.push(`${operation}, ${about}: ${told}`)
  }
  expect(wrong).toEqual([])
})

test('every required field is left out once, and every operation is sent something that is not an object', () => {
  const cases = readingCases()
  for (const operation of operationList) {
    const own = cases.filter((one) => one.operation === operation.name)
    expect(own.filter(({ refusal }) => refusal?.code === 'INVALID_JSON_BODY')).toHaveLength(3)
    for (const [name, field] of Object.entries(operation.request)) {
      if (!field.needed || field.exempt === 'always') continue
      const missing = own.find(({ about }) => about === `${name}: absent`)
      expect(missing?.refusal?.status).toBe(422)
    }
  }
})

test('nobody calls without a key or a session, and keys never reach what is for sessions', () => {
  for (const { operation, via, refusal } of accessCases()) {
    if (via === 'NOTHING' || via === 'BAD_KEY') expect(refusal).toBe('INVALID_KEY')
    const isSessionOnly = [
      'addApiToken',
      'deleteApiToken',
      'fetchApiTokens',
      'inviteUsers',
      'logout',
    ].includes(operation)
    if (isSessionOnly && via !== 'SESSION') expect(refusal).not.toBeNull()
  }
})

test('a BURP key reaches the three operations of the proxy extension and nothing else', () => {
  const reached = accessCases().filter(
    ({ via, role, refusal }) => via === 'BURP' && role === 'ADMIN' && refusal === null,
  )
  expect(reached.map(({ operation }) => operation).sort()).toEqual([
    'importInBurp',
    'sendHealthCheck',
    'uploadHar',
  ])
})

function outcome(name: OperationName, body: unknown): string {
  try {
    readRequest(name, body)
    return 'read'
  } catch (error) {
    return describeFailure(error).messages.join()
  }
}
