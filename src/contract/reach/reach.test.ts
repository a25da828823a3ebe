import { expect, test } from 'vitest'
import { none, type Operation, operation } from '../operation.ts'
import { operationList, operationNames } from '../registry.ts'
import { optional } from '../request-field.ts'
import { text } from '../schema.ts'
import { idFields } from './id-fields.ts'
import { listedOperations, reachOf } from './reach.ts'

test('every operation says once what it reaches for callers restricted to some collections', () => {
  expect([...listedOperations].sort()).toEqual([...operationNames].sort())
})

test.each(operationList.map((one) => [one.name, one] as const))(
  '%s: every field that names something says what it names',
  (_name, one) => {
    expect(idFields(one).filter(({ kind }) => kind === undefined)).toEqual([])
  },
)

test('an operation that is new is refused to restricted callers, and its ids are noticed', () => {
  const fresh = {
    ...operation({
      ...operationList[0]!,
      request: {
        gadgetHexId: optional(text(), 'A gadget.'),
        apiCollectionId: optional(text(), 'A collection.'),
      },
      answer: none,
    }),
    name: 'fetchGadget',
    group: 'collections',
  } as Operation
  expect(reachOf(fresh.name)).toBe('account')
  expect(idFields(fresh)).toEqual([
    { path: 'gadgetHexId', kind: undefined },
    { path: 'apiCollectionId', kind: 'collection' },
  ])
})

test('administrators alone call what changes the account, and nobody without the right reads beyond', () => {
  const wide = operationList.filter(({ name, role }) => role === 'ADMIN' && reachOf(name) !== 'account')
  expect(wide.map(({ name }) => name)).toEqual([])
})
