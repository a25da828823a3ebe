import { describe, expect, test } from 'vitest'
import { EMPTY_LOOKUPS } from '../lookups.ts'
import { OPERATORS } from './registry.generated.ts'

describe.each(OPERATORS.map((operator) => ({ name: operator.name, operator })))('$name', ({ operator }) => {
  test('has a case that holds and one that does not', () => {
    expect(operator.cases.some(({ expect: holds }) => holds)).toBe(true)
    expect(operator.cases.some(({ expect: holds }) => !holds)).toBe(true)
  })

  test.each(
    operator.cases.map((one) => ({ title: `${String(one.datum)} ${JSON.stringify(one.operands)}`, ...one })),
  )('$title', ({ datum, operands, expect: holds, collections }) => {
    const lookups = { ...EMPTY_LOOKUPS, collectionsOf: () => collections ?? [] }
    expect(operator.test(operands)(datum, { key: '', lookups })).toBe(holds)
  })
})
