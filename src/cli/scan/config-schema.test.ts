import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { configSchema } from './config-schema.ts'
import { switchOptions, valueOptions } from './scan-options.ts'

const isValid = new Ajv2020({ allErrors: true }).compile(configSchema)

test('the schema knows the options that a file may hold, and no others', () => {
  const { properties } = configSchema as { properties: Record<string, unknown> }
  const options = [...valueOptions, ...switchOptions].filter((name) => name !== 'config' && name !== 'key')
  expect(Object.keys(properties).sort()).toEqual([...options, 'files', 'reports'].sort())
})

test('the configuration of the guide is valid', () => {
  const guide = readFileSync(new URL('../../../docs/guides/pipeline.md', import.meta.url), 'utf8')
  const example = /```yaml\n(files: [\s\S]*?)```/.exec(guide)![1]!
  expect([isValid(parse(example)), isValid.errors]).toEqual([true, null])
})

test.each([
  ['an option that does not exist', 'max-tim: 10m'],
  ['a severity that does not exist', 'fail-on: hihg'],
  ['a time without a unit that is known', 'max-time: 10d'],
  ['a report of another format', 'reports: { pdf: vigil.pdf }'],
  ['a role without headers', 'roles: { USER: {} }'],
  ['a login without a URL', 'roles: { USER: { login: { body: x }, headers: { a: b } } }'],
])('%s is refused', (_what, yaml) => {
  expect(isValid(parse(yaml))).toBe(false)
})
