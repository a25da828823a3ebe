import { expect, test } from 'vitest'
import { draftOf, emptyDataType, missingIn, requestOf } from './data-type-draft.ts'

const stored = {
  name: 'MEMBERSHIP_NUMBER',
  builtIn: false,
  active: true,
  severity: 'HIGH' as const,
  categories: ['PII'],
  sensitiveAlways: true,
  sensitivePosition: [],
  redacted: false,
  operator: 'AND' as const,
  keyConditions: null,
  valueConditions: { operator: 'OR' as const, predicates: [{ type: 'REGEX' as const, value: 'M-[0-9]{8}' }] },
  description: null,
  updatedBy: null,
  timestamp: 0,
}

test('a stored data type goes through the form unchanged', () => {
  expect(requestOf(draftOf(stored))).toMatchObject({
    name: 'MEMBERSHIP_NUMBER',
    severity: 'HIGH',
    keyConditions: null,
    valueConditions: stored.valueConditions,
    description: null,
  })
})

test('a data type without conditions, without positions, or with an empty condition cannot be saved', () => {
  expect(missingIn(emptyDataType, false)).toContain('at least one condition')
  expect(missingIn({ ...emptyDataType, sensitiveAlways: false }, false)).toContain('at least one position')
  const unfinished = { operator: 'OR' as const, predicates: [{ type: 'CONTAINS' as const, value: '' }] }
  expect(missingIn({ ...emptyDataType, key: unfinished }, false)).toContain('needs a text')
  expect(missingIn(draftOf(stored), false)).toBeNull()
})

test('a built-in data type needs no conditions', () => {
  expect(missingIn(emptyDataType, true)).toBeNull()
})
