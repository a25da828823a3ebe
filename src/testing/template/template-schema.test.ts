import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CONTEXTS, conditionWords, OPERATORS, TERMS } from '../../rules/index.ts'
import { MODIFICATIONS } from '../modifications/registry.generated.ts'
import { TEMPLATE_KEYS } from './parse-template.ts'
import { INFO_KEYS } from './read-info.ts'
import { FLOW_WORDS } from './read-operation.ts'
import { type Json, templateSchema } from './template-schema.ts'

const schema = templateSchema()
const page = readFileSync(new URL('../../../docs/reference/test-templates.md', import.meta.url), 'utf8')

function keysAt(...path: string[]): string[] {
  const found = path.reduce<Json>((part, key) => part[key] as Json, schema)
  return Object.keys(found).sort()
}

test('the schema for editors has every key, word of conditions and operation', () => {
  expect(keysAt('properties')).toEqual([...TEMPLATE_KEYS].sort())
  expect(keysAt('properties', 'info', 'properties')).toEqual([...INFO_KEYS].sort())
  const words = new Set([...conditionWords, ...OPERATORS.map(({ name }) => name)])
  expect(keysAt('$defs', 'condition', 'properties')).toEqual([...words].sort())
  const item = [
    '$defs',
    'execute',
    'properties',
    'requests',
    'items',
    'properties',
    'req',
    'anyOf',
    '1',
    'properties',
  ]
  const operations = [...MODIFICATIONS.map(({ name }) => name), ...FLOW_WORDS]
  expect(keysAt(...item)).toEqual([...new Set(operations)].sort())
})

test('the reference page names all of them', () => {
  const names = [
    ...[...TEMPLATE_KEYS, ...INFO_KEYS, ...FLOW_WORDS],
    ...[...TERMS, ...OPERATORS, ...CONTEXTS, ...MODIFICATIONS].map(({ name }) => name),
    ...conditionWords,
  ]
  const told = page.toLowerCase()
  expect(names.filter((name) => !told.includes(`\`${name.toLowerCase()}\``))).toEqual([])
})
