import { beforeEach, describe, expect, test } from 'vitest'
import { LiveReader } from '../../http/index.ts'
import type { ActorRules } from '../actors/find-actor.ts'
import type { ThreatMessage, Verdict } from '../evaluate/hit.ts'
import { compileFilter } from '../filters/compile-filter.ts'
import { valueMark } from '../windows/window-rule.ts'
import { type DetectionInput, detectBatch } from './detect-batch.ts'
import { unpackFindings } from './finding.ts'

const actors: ActorRules = {
  isTrusted: () => false,
  forwardingHeaders: [],
  headerRules: [],
  hashOf: (value) => value,
  countryOf: (address) => (address.startsWith('198.') ? 'DE' : 'US'),
}

const filter = compileFilter(`
id: Probe
filter:
  url: {contains_either: [attack]}
info: {category: {name: PROBE}, severity: HIGH}
aggregation_rules:
  - rule: {name: often, condition: {matchCount: 3, windowThreshold: 5}}
`).filter!

const NO_HITS: Verdict = { hits: [], isSuccessfulExploit: false, isIgnored: false, isTruncated: false }
const reader = new LiveReader()
let seen: string[]

/** Matches what has the word in its target, as the filter says. */
function evaluate({ exchange }: ThreatMessage): Verdict {
  const { target } = exchange.request
  seen.push(target)
  if (!target.includes('attack')) return NO_HITS
  const evidence = [{ location: 'url' as const, name: '', view: 'raw', start: 1, end: 7, phrase: 'attack' }]
  return {
    hits: [{ filter, part: 'filter', evidence, distinctValues: ['secret'] }],
    isSuccessfulExploit: false,
    isIgnored: true,
    isTruncated: target.includes('long'),
  }
}

function detect(input: DetectionInput, skipped: number[] = []) {
  return detectBatch(
    input,
    { live: reader, evaluate, actors, ownMark: 'ours', collectionOf: () => 0 },
    new Set(skipped),
    () => {},
  )
}

const message = (path: string, more: object = {}) => ({
  method: 'GET',
  path,
  requestHeaders: { host: 'shop.example' },
  ip: '203.0.113.9',
  destIp: '198.51.100.1',
  statusCode: 200,
  ...more,
})

function live(...messages: unknown[]): DetectionInput {
  return { bytes: Buffer.from(JSON.stringify({ batchData: messages })), source: 'OTHER' }
}

beforeEach(() => {
  seen = []
})

describe('detection in a batch', () => {
  test('returns only the messages in which a filter matched', () => {
    const { findings, ...counts } = detect(live(message('/a'), message('/attack-long'), message('/b')))
    expect(counts).toEqual({ messages: 3, found: 1, truncated: 1 })
    const read = unpackFindings(findings!)
    expect([...read.keys()]).toEqual([1])
    expect(read.get(1)).toMatchObject({
      actor: { id: '203.0.113.9', country: 'US' },
      destCountry: 'DE',
      isExploit: false,
      isIgnored: true,
      isTruncated: true,
      hits: [{ filter: { id: 'Probe', category: 'PROBE', severity: 'HIGH', rules: [{ name: 'often' }] } }],
    })
  })

  test('gives distinct values as marks, not in clear', () => {
    const { findings } = detect(live(message('/attack')))
    expect(Buffer.from(findings!).toString()).not.toContain('secret')
    expect(unpackFindings(findings!).get(0)!.hits[0]!.values).toEqual([valueMark('secret')])
  })

  test('answers with nothing where nothing was found, and where the batch cannot be read', () => {
    expect(detect(live(message('/a'))).findings).toBeNull()
    expect(detect(live('no message', message('/attack'))).findings).not.toBeNull()
    expect(detect({ bytes: Buffer.from('{"batchData":'), source: 'OTHER' })).toMatchObject({ messages: 0 })
    expect(detect({ bytes: Buffer.from('{"batchData":7}'), source: 'OTHER' })).toMatchObject({ messages: 0 })
  })

  test('accepts the self-traffic marker only with its value', () => {
    const claimed = { requestHeaders: { host: 'h', 'x-vigil-ignore': '1' } }
    expect(detect(live(message('/attack', claimed))).findings).not.toBeNull()
  })

  test('passes over our own tests and crawls, and messages that nobody sent', () => {
    const ours = { requestHeaders: { host: 'h', 'X-Vigil-Ignore': 'ours' } }
    const test = { requestHeaders: { host: 'h', 'x-vigil-test': 'ours' } }
    const batch = live(
      message('/attack', ours),
      message('/attack', test),
      message('/attack', { source: 'CRAWLER' }),
      message('/attack', { ip: '' }),
    )
    expect(detect(batch).findings).toBeNull()
    expect(seen).toEqual([])
  })

  test('leaves out messages that got a thread stuck', () => {
    expect([
      ...unpackFindings(detect(live(message('/attack?1'), message('/attack?2')), [0]).findings!).keys(),
    ]).toEqual([1])
    expect(seen).toEqual(['/attack?2'])
  })
})
