import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { operations } from '../contract/index.ts'
import { unreached } from './unreached-operations.ts'

/** Operations whose names stand in the sources of pages, as a text or as a method of the client. */
function reached(): Set<string> {
  const names = Object.keys(operations)
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts') && !file.endsWith('unreached-operations.ts'),
  )
  // What only outdates an answer does not ask for it.
  const sources = files
    .filter((file) => !file.endsWith('outdated-reads.ts'))
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
    .join('\n')
  const called = /(?:useRead|useWrite|client\.call|useReport)(?:<[^>]*>)?\(\s*'(\w+)'|client\.op\.(\w+)\(/g
  const found = new Set([...sources.matchAll(called)].map(([, name, method]) => name ?? method ?? ''))
  return new Set(names.filter((name) => found.has(name)))
}

test('every operation is reached from a page, or has a reason why not', () => {
  const names = Object.keys(operations)
  const pages = reached()
  expect(pages.size).toBeGreaterThan(100)
  const gaps = names.filter((name) => !pages.has(name) && !Object.hasOwn(unreached, name))
  expect(gaps).toEqual([])
  const stale = Object.keys(unreached).filter((name) => pages.has(name) || !names.includes(name))
  expect(stale).toEqual([])
})

test('what a reason names instead is reached', () => {
  const pages = reached()
  for (const [name, reason] of Object.entries(unreached))
    for (const [, instead] of reason.matchAll(/`(\w+)`/g))
      expect([name, instead, pages.has(instead!)]).toEqual([name, instead, true])
})
