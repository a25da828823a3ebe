import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { filterSchema } from './filter-schema.ts'

const folder = new URL('../../../templates/filters/', import.meta.url)

test('every shipped filter fits the schema for editors', () => {
  const fits = new Ajv2020({ strict: false }).compile(filterSchema())
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.yaml') && !file.endsWith('.cases.yaml'),
  )
  expect(files.length).toBeGreaterThan(20)
  for (const file of files) {
    fits(parse(readFileSync(new URL(file, folder), 'utf8')))
    expect([file, fits.errors ?? []]).toEqual([file, []])
  }
})
