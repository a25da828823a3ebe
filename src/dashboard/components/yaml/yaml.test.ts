import { expect, test } from 'vitest'
import { findProblems } from './find-problems.ts'
import { ITEM, keysAt, meaningAt, type Schema, valuesAt } from './schema.ts'
import { keyOnLine, placeAt } from './yaml-path.ts'

const schema: Schema = {
  type: 'object',
  required: ['id'],
  additionalProperties: false,
  properties: {
    id: { type: 'string', description: 'Name among all others.' },
    severity: { enum: ['HIGH', 'LOW'] },
    filter: { $ref: '#/$defs/condition' },
  },
  $defs: {
    condition: {
      type: 'object',
      additionalProperties: false,
      properties: {
        or: {
          anyOf: [{ $ref: '#/$defs/condition' }, { type: 'array', items: { $ref: '#/$defs/condition' } }],
        },
        url: { description: 'The target as sent.', $ref: '#/$defs/condition' },
        regex: { type: ['string', 'number'] },
        negate: { type: 'boolean' },
      },
    },
  },
}

const text = `id: A
filter:
  or:
    - url:
        regex: a
    - negate: true
      reg
severity: 
`

test('a place is found in mappings and lists of blocks', () => {
  expect(placeAt(text, 6, 9)).toEqual({ path: ['filter', 'or', ITEM], kind: 'key', from: 6 })
  expect(placeAt(text, 4, 12)).toEqual({ path: ['filter', 'or', ITEM, 'url'], kind: 'key', from: 8 })
  expect(placeAt(text, 7, 10)).toEqual({ path: ['severity'], kind: 'value', from: 10 })
  expect(placeAt('filter:\n  or:\n  - url:\n', 2, 4)).toEqual({
    path: ['filter', 'or', ITEM],
    kind: 'key',
    from: 4,
  })
  expect(keyOnLine(text, 3)).toEqual({ path: ['filter', 'or', ITEM, 'url'], from: 6, to: 9 })
})

test('keys, values and meanings are those of the schema', () => {
  expect([...keysAt(schema, ['filter', 'or', ITEM]).keys()]).toEqual(['or', 'url', 'regex', 'negate'])
  expect(valuesAt(schema, ['severity'])).toEqual(['HIGH', 'LOW'])
  expect(valuesAt(schema, ['filter', 'negate'])).toEqual(['true', 'false'])
  expect(meaningAt(schema, ['filter', 'url'])).toBe('The target as sent.')
  expect(meaningAt(schema, ['filter', 'nothing'])).toBeNull()
})

test('what does not fit the schema is found with its place', () => {
  const found = (content: string) =>
    findProblems(content, schema).map(({ from, to, message }) => [content.slice(from, to), message])
  expect(found('id: A\nfilter:\n  or:\n    - regex: a\n')).toEqual([])
  expect(found('id: A\nfilter:\n  regexp: a\n')).toEqual([['regexp', 'Unknown key regexp; regex?']])
  expect(found('id: A\nseverity: WORST\n')).toEqual([['WORST', 'One of: HIGH, LOW.']])
  expect(found('severity: LOW\n')).toEqual([['severity', 'The key id is required.']])
  expect(found('id: A\nfilter: [1]\n')).toEqual([['[1]', 'Expected an object.']])
  expect(found('id: "A\n')[0]?.[1]).toContain('quote')
})
