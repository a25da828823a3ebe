import { expect, test } from 'vitest'
import { IMPORTERS, importerNamed, importText } from '../../src/traffic/index.ts'
import { GOOD_INPUTS } from './good-inputs.ts'
import { byteFlips, truncations, wrongTypes } from './mutations.ts'
import { isTold, outcomeFor, outcomeOf, sentenceOf } from './outcome.ts'
import { SMALL_CASES, UNREADABLE } from './small-cases.ts'

/** Far above what any of these takes; only a hang goes beyond. */
const HANG_MS = 20_000

const clean = Object.getOwnPropertyNames(Object.prototype).length

function expectUnpolluted(): void {
  expect(Object.getOwnPropertyNames(Object.prototype)).toHaveLength(clean)
}

test.each(GOOD_INPUTS)('takes the sound $importer $name it breaks below', ({ importer, bytes }) => {
  const outcome = outcomeFor(importerNamed(importer)!, bytes)
  expect(outcome.failure).toBeUndefined()
  expect(outcome.report).toMatchObject({ skippedTotal: 0, fatal: undefined })
  expect(outcome.exchanges + outcome.declared + outcome.findings).toBeGreaterThan(0)
})

test.each(SMALL_CASES)('$importer: $name', ({ importer, make, expect: expected, says }) => {
  const outcome = outcomeFor(importerNamed(importer)!, make())
  const { failure, report } = outcome
  if (expected === 'refused') expect(failure).toBeDefined()
  else expect(failure).toBeUndefined()
  const told = failure === undefined ? JSON.stringify(report) : sentenceOf(failure)
  expect(told.replaceAll('\\"', '"')).toMatch(says)
  expect(told.length).toBeLessThan(3_000_000)
  expect(outcome.ms).toBeLessThan(HANG_MS)
  expectUnpolluted()
})

test.each(IMPORTERS)('$name refuses what no format can be', (importer) => {
  for (const { name, bytes, code } of UNREADABLE) {
    // nuclei writes an empty file when it found nothing.
    if (importer.name === 'nuclei' && code === 'IMPORT_EMPTY') continue
    if (importer.name === 'pcap' && name === 'a packet capture') continue
    const { failure } = outcomeFor(importer, bytes)
    expect(failure?.code).toBe(code)
    expect(sentenceOf(failure!)).toMatch(/^The file/)
  }
})

test.each(IMPORTERS)(
  '$name survives the broken and sound inputs of every other format',
  { tags: ['marathon'] },
  (importer) => {
    const inputs = [...SMALL_CASES.map((one) => one.make()), ...GOOD_INPUTS.map((one) => one.bytes)]
    for (const input of inputs) {
      const outcome = outcomeFor(importer, input)
      expect(outcome.ms).toBeLessThan(HANG_MS)
      if (outcome.failure !== undefined) expect(sentenceOf(outcome.failure)).not.toBe('')
    }
    expectUnpolluted()
  },
)

test.each(GOOD_INPUTS)(
  '$importer $name: tells of every cut where the format has an end',
  ({ importer, name, bytes }) => {
    const mayEndAnywhere =
      importer === 'curl' ||
      importer === 'raw-http' ||
      importer === 'protobuf' ||
      importer === 'access-log' ||
      importer === 'pcap' ||
      name.includes('YAML') ||
      name === 'schema'
    for (const cut of truncations(bytes.subarray(0, bytes.length - 3), 60, 7)) {
      const outcome = outcomeFor(importerNamed(importer)!, cut)
      // Cut exactly between two lines, a file of lines is whole.
      const isWhole =
        mayEndAnywhere ||
        (name === 'lines' && cut.at(-1) === 0x7d) ||
        (name === 'lines' && cut.at(-1) === 0x0a)
      if (!isWhole) expect(isTold(outcome), cut.toString('utf8').slice(-80)).toBe(true)
      const told =
        outcome.failure === undefined ? JSON.stringify(outcome.report) : sentenceOf(outcome.failure)
      if (!isWhole) expect(told).toMatch(/line \d+|byte \d+|character \d+/)
    }
  },
)

function expectSurvivesFlips({ importer, bytes }: (typeof GOOD_INPUTS)[number], count: number): void {
  for (const flipped of byteFlips(bytes, count, 11)) {
    const outcome = outcomeFor(importerNamed(importer)!, flipped)
    if (outcome.failure !== undefined) expect(sentenceOf(outcome.failure)).not.toBe('')
    outcomeOf(() => importText(flipped))
  }
  expectUnpolluted()
}

test.each(GOOD_INPUTS)('$importer $name: survives flipped bytes', (input) => expectSurvivesFlips(input, 30))

test.each(GOOD_INPUTS)(
  '$importer $name: survives flipped bytes at many places',
  { tags: ['marathon'] },
  (input) => expectSurvivesFlips(input, 150),
)

const JSON_INPUTS = GOOD_INPUTS.filter(({ name, bytes }) => name !== 'lines' && bytes[0] === 0x7b)

function expectSurvivesWrongTypes({ importer, bytes }: (typeof GOOD_INPUTS)[number], count: number): void {
  for (const text of wrongTypes(JSON.parse(bytes.toString('utf8')), count, 13)) {
    const outcome = outcomeFor(importerNamed(importer)!, text)
    if (outcome.failure !== undefined) expect(sentenceOf(outcome.failure)).not.toBe('')
  }
  expectUnpolluted()
}

test.each(JSON_INPUTS)('$importer $name: survives values of the wrong type', (input) =>
  expectSurvivesWrongTypes(input, 80),
)

test.each(JSON_INPUTS)(
  '$importer $name: survives values of the wrong type at many places',
  { tags: ['marathon'] },
  (input) => expectSurvivesWrongTypes(input, 400),
)

const TEXT_INPUTS = GOOD_INPUTS.filter(({ importer }) => importer !== 'pcap')

test.each(TEXT_INPUTS)('$importer $name: reads byte order marks and UTF-16', ({ importer, bytes }) => {
  const text = bytes.toString('utf8')
  const expected = outcomeFor(importerNamed(importer)!, bytes)
  const wide = Buffer.from(`\ufeff${text}`, 'utf16le')
  for (const input of [Buffer.from(`\ufeff${text}`), wide, Buffer.from(wide).swap16(), `\ufeff${text}`]) {
    const { exchanges, declared } = outcomeFor(importerNamed(importer)!, input)
    expect([exchanges, declared]).toEqual([expected.exchanges, expected.declared])
  }
})

test.each(JSON_INPUTS)(
  '$importer $name: warns of bytes in the wrong charset, with the line',
  ({ importer, bytes }) => {
    const text = bytes.toString('latin1').replace('{', '{"\u00e9": "\u00e9",')
    const { report } = outcomeFor(importerNamed(importer)!, Buffer.from(text, 'latin1'))
    expect(report?.warnings[0]).toMatchObject({
      where: 'line 1',
      reason: expect.stringContaining('not valid utf-8'),
    })
  },
)
