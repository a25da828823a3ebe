import { expect, test } from 'vitest'
import { exchangeOf } from '../../../test/test-results.ts'
import { draftOf } from '../attempts/index.ts'
import { effectOf } from './write-effect.ts'

function effectOfDocument(query: string): string {
  const { request, ...rest } = exchangeOf('https://shop.test/graphql')
  const headers = ['content-type', 'application/json']
  const body = JSON.stringify({ query })
  return effectOf(draftOf({ ...rest, request: { ...request, method: 'POST', headers, body } }))
}

test.each([
  ['query Q { orders { id } }', 'read'],
  ['{ orders { id } }', 'read'],
  ['mutation M { pay }', 'post'],
  ['query Q { orders { id } } mutation M { pay }', 'post'],
  ['query Q{orders{id}}mutation M{pay}', 'post'],
  ['query Q{orders{id}},mutation M{pay}', 'post'],
  ['# comment\nmutation { pay }', 'post'],
])('a GraphQL document writes when any operation of it is a mutation: %s', (document, effect) => {
  expect(effectOfDocument(document)).toBe(effect)
})
