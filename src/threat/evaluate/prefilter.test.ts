import { readdirSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Exchange } from '../../http/index.ts'
import { compileFilter } from '../filters/compile-filter.ts'
import type { Filter } from '../filters/filter.ts'
import { readViews } from '../views/read-views.ts'
import { evaluateMessage, MAX_MESSAGE_MS } from './evaluate-message.ts'
import { FilterSet } from './filter-set.ts'
import type { ThreatMessage } from './hit.ts'
import { Look } from './look.ts'
import type { Probe } from './probe.ts'

const FILTERS = new URL('../../../templates/filters/', import.meta.url)
const REQUESTS = new URL('../../../bench/threat/data/requests.jsonl.gz', import.meta.url)

function shippedFilters(): Filter[] {
  return readdirSync(FILTERS)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => compileFilter(readFileSync(new URL(name, FILTERS), 'utf8')).filter!)
}

function message(target: string, body: string, headers: readonly string[] = []): ThreatMessage {
  const exchange: Exchange = {
    request: { method: 'POST', target, version: 'HTTP/1.1', headers, body },
    response: { status: 200, reason: '', headers: [], body: '' },
    ...{ at: 1, clientIp: '', serverIp: '', source: 'OTHER', direction: 1, vxlanId: 0 },
  }
  return { exchange, actorAddress: '', country: '', collectionId: 0 }
}

/** Some requests of every set of the data, short ones: the plain way is slow. */
function sampleMessages(step: number): ThreatMessage[] {
  return gunzipSync(readFileSync(REQUESTS))
    .toString()
    .split('\n')
    .filter((line, i) => i % step === 0 && line !== '' && line.length < 4_000)
    .map((line) => {
      const one = JSON.parse(line) as { path: string; body: string; headers: Record<string, string> }
      return message(one.path, one.body, Object.entries(one.headers).flat())
    })
}

/** What a probe says of a text without any help. */
function isPlainlyIn(probe: Probe, text: string): boolean {
  if (probe.kind === 'pattern') return probe.pattern.test(text)
  const lower = text.toLowerCase()
  return probe.words.some((word) => (probe.isWhole ? lower === word : lower.includes(word)))
}

/** Compares both ways on every n-th message of the data. */
function expectSameFound(step: number, atLeast: number): void {
  const set = new FilterSet(shippedFilters())
  const look = new Look(set)
  const budget = { isSpent: false, check: () => {} }
  let found = 0
  for (const one of sampleMessages(step)) {
    const list = readViews(one.exchange, set.wanted)
    look.begin(one, list, budget)
    for (let leaf = 0; leaf < list.count; leaf++) {
      const text = list.text(leaf).trim()
      for (const probe of set.probes) {
        if (probe.isOfQuery || (look.candidates.bits[leaf]! & probe.places) === 0) continue
        const isIn = look.isIn(probe.id, leaf)
        if (isIn) found++
        if (isIn !== isPlainlyIn(probe, text))
          expect([text, probe.kind === 'pattern' ? probe.pattern.source : probe.words, isIn]).toEqual([])
      }
    }
  }
  expect(found).toBeGreaterThan(atLeast)
}

test('what is looked for by words first is found as it is without', () => expectSameFound(400, 1))

test(
  'what is looked for by words first is found as it is without, in ten times the messages',
  {
    tags: ['marathon'],
  },
  () => expectSameFound(40, 20),
)

test('words are found anywhere in a text', () => {
  const filter = compileFilter(`id: words
info: {category: {name: C}, severity: LOW}
filter:
  request_payload:
    regex: ['needle\\d', '\\bab\\b.{0,40}<q']`).filter!
  const set = new FilterSet([filter])
  const holds = (body: string): boolean => evaluateMessage(set, message('/a', body)).hits.length > 0
  for (let before = 0; before < 70; before++)
    for (const after of [0, 1, 20, 69]) {
      const [start, end] = ['x'.repeat(before), 'y'.repeat(after)]
      expect([before, after, holds(`${start}needle7${end}`)]).toEqual([before, after, true])
      expect([before, after, holds(`${start}needl7${end}`)]).toEqual([before, after, false])
      expect([before, after, holds(`${start} ab <q${end}`)]).toEqual([before, after, true])
      expect([before, after, holds(`<q ${start} ab ${end}`)]).toEqual([before, after, false])
    }
})

test('no text takes long', () => {
  const hard = compileFilter(`id: hard
info: {category: {name: C}, severity: LOW}
filter:
  request_payload:
    regex: ['(a+)+$', '(?:a|b)*a(?:a|b){14}c', '(?:.*x){9}', 'a(?=(b|bb)+$)', '^(a|aa)+$']`).filter!
  const set = new FilterSet([hard, ...shippedFilters()])
  for (const body of [
    'a'.repeat(1_048_576),
    'ab'.repeat(100_000),
    '<svg on'.repeat(10_000),
    "' or 'a' like ".repeat(5_000),
    '['.repeat(20_000),
    `${'{"a":'.repeat(20_000)}1`,
    JSON.stringify(Array.from({ length: 20_000 }, (_, i) => `ab${i}`)),
  ]) {
    const start = process.cpuUsage()
    evaluateMessage(set, message('/a', body, ['content-type', 'application/json']))
    // Other work on the machine makes the clock run on: what is bound is the time of this process.
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(MAX_MESSAGE_MS * 6)
  }
})
