import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { compileFilter, type Filter, FilterSet, problemText } from '../../src/threat/index.ts'
import { findsSomething, messagesOf, readFilterCases, verdictOf } from './filter-cases.ts'

const LIBRARY = fileURLToPath(new URL('../../templates/filters', import.meta.url))
/** Fewest filters that the library may have. */
const FEWEST_FILTERS = 60
const GRAVE = new Set(['HIGH', 'CRITICAL'])

const ids = readdirSync(LIBRARY)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => name.slice(0, -5))
  .sort()
const compiled = new Map(
  ids.map((id) => [id, compileFilter(readFileSync(join(LIBRARY, `${id}.yaml`), 'utf8'))]),
)
const filters = [...compiled.values()].flatMap(({ filter }): Filter[] => (filter === null ? [] : [filter]))
const set = new FilterSet(filters)

describe('the library', () => {
  test(`holds ${FEWEST_FILTERS} filters or more`, () => {
    expect(ids.length).toBeGreaterThanOrEqual(FEWEST_FILTERS)
  })

  test('has cases for nothing but its filters', () => {
    const cases = readdirSync(join(LIBRARY, 'cases')).map((name) => name.replace('.cases.yaml', ''))
    expect(cases.sort()).toEqual(ids)
  })

  test('never asks for undecoded texts, which double the cost of a message', () => {
    const raw = set.probes.filter(
      ({ places }) => (places & ((1 << 4) | (1 << 9) | (1 << 13) | (1 << 16))) !== 0,
    )
    expect(
      raw.map((probe) => (probe.kind === 'pattern' ? probe.pattern.source : probe.words.join(' '))),
    ).toEqual([])
  })

  test('has no pattern without words that a message can be searched for first', () => {
    const wordless = set.probes.filter(({ clauses }) => clauses.length === 0)
    expect(wordless.map((probe) => (probe.kind === 'pattern' ? probe.pattern.source : ''))).toEqual([])
  })
})

describe.each(ids)('%s', (id) => {
  const { filter, problems } = compiled.get(id)!
  const cases = readFilterCases(join(LIBRARY, 'cases', `${id}.cases.yaml`))

  test('is a filter without problems, named like its file', () => {
    expect(problems.map(problemText)).toEqual([])
    expect(filter?.id).toBe(id)
  })

  test('names its weakness, OWASP API risk and attack patterns', () => {
    const { cwe, tags, compliance } = filter!.info
    expect(cwe?.length).toBeGreaterThanOrEqual(1)
    for (const name of cwe ?? []) expect(name).toMatch(/^CWE-\d+$/)
    const risk = /^(API\d+:20(?:19|23)) \S/.exec(tags?.[0] ?? '')?.[1]
    expect(compliance?.['OWASP API SECURITY TOP 10']).toEqual([risk])
    for (const name of compliance?.CAPEC ?? []) expect(name).toMatch(/^CAPEC-\d+$/)
  })

  test('has cases of both kinds', () => {
    expect(new Set(cases.map(({ expect: word }) => word))).toEqual(new Set(['hit', 'quiet']))
  })

  test.each(cases.filter((one) => one.expect === 'hit'))('finds: $name', (one) => {
    const verdicts = messagesOf(one).map((message) => verdictOf(set, message))
    expect(findsSomething(filter!, verdicts)).toBe(true)
  })

  test.each(cases.filter((one) => one.expect === 'quiet'))('is quiet: $name', (one) => {
    const verdicts = messagesOf(one).map((message) => verdictOf(set, message))
    expect(findsSomething(filter!, verdicts)).toBe(false)
    const grave = verdicts.flatMap(({ hits }) =>
      hits.filter((hit) => hit.filter.rules.length === 0 && GRAVE.has(hit.filter.info.severity)),
    )
    expect(grave.map((hit) => [hit.filter.id, hit.evidence[0]?.phrase])).toEqual([])
  })
})
