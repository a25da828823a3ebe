import { describe, expect, test } from 'vitest'
import { DEFAULT_RULES } from '../../../data-types/index.ts'
import { ScannedBatch } from '../../../http/index.ts'
import { Batch } from '../intake/batch.ts'
import { learnBody } from '../learn/learn-body.ts'
import { KeyTree } from '../state/index.ts'
import type { LearningContext } from '../values/index.ts'
import { NO_FAST_PATHS } from '../values/index.ts'
import { learnKnownBody, learnKnownBytes } from './known-body.ts'
import { memoryOf } from './place-memory.ts'

const scanned = new ScannedBatch()
const RESPONSE_PAYLOAD = 8
/** So many bodies of one form give a place a shape, with every value settled. */
const TIMES = 800

const ORDER = {
  id: 7,
  'e-mail': 'ann@shop.example',
  note: 'two words',
  open: true,
  paid: false,
  gone: null,
  total: 12.5,
  lines: [
    { sku: 'A-1', n: 1, tags: ['x', 'y'] },
    { sku: 'B-2', n: 2, tags: [] },
  ],
  more: {},
  ключ: 'значение',
}

/** A place that learns bodies as live batches bring them. */
class Pupil {
  readonly tree = new KeyTree(() => 1, 'RESPONSE_BODY', 200)
  readonly batch = new Batch()
  readonly context: LearningContext

  constructor(at = 1000) {
    this.context = {
      at,
      pending: this.batch.pending,
      touched: this.batch.touched,
      keepsValues: true,
      rules: DEFAULT_RULES,
      fastPaths: NO_FAST_PATHS,
      sensitiveInRequest: [],
      sensitiveInResponse: [],
    }
  }

  /** Whether a body was learned without being parsed. */
  learn(text: string, at = this.context.at): boolean {
    const [start, end] = placeOf(text)
    const context = { ...this.context, at }
    return learnKnownBytes(this.tree, scanned.scanner, start, end, 'RESPONSE_PAYLOAD', context)
  }

  /** Whether the shape alone can read it. */
  isShaped(text: string): boolean {
    const [start, end] = placeOf(text)
    return memoryOf(this.tree).shape!.learn(
      this.tree,
      scanned.scanner,
      start,
      end,
      'RESPONSE_PAYLOAD',
      this.context,
    )
  }

  general(text: string): void {
    learnBody(this.tree, JSON.parse(text), 'RESPONSE_PAYLOAD', this.context)
  }

  /** Has the next value of every key judged. */
  judgeNext(node = this.tree.root): void {
    node.ticks = 0
    for (const kid of [...(node.children ?? []), ...(node.items === null ? [] : [node.items])])
      this.judgeNext(kid)
  }

  counts(): string[] {
    this.batch.settle()
    return this.batch.touched
      .map((fact) => `${fact.name}:${fact.type}:${fact.fresh}:${fact.firstSeen}-${fact.lastSeen}`)
      .sort()
  }
}

function placeOf(body: string): [number, number] {
  const bytes = Buffer.from(JSON.stringify([{ path: '/', responsePayload: body }]))
  expect(scanned.read(bytes)).toBe(true)
  const { scanner } = scanned
  return [scanner.startOf(0, RESPONSE_PAYLOAD), scanner.endOf(0, RESPONSE_PAYLOAD)]
}

function shaped(): Pupil {
  const pupil = new Pupil()
  const text = JSON.stringify(ORDER)
  pupil.general(text)
  for (let i = 0; i < TIMES; i++) expect(pupil.learn(text)).toBe(true)
  expect(memoryOf(pupil.tree).shape).not.toBeNull()
  return pupil
}

/** The same, read key by key. */
function plain(): Pupil {
  const pupil = new Pupil()
  const text = JSON.stringify(ORDER)
  pupil.general(text)
  for (let i = 0; i < TIMES; i++) learnKnownBody(pupil.tree, text, 'RESPONSE_PAYLOAD', pupil.context)
  return pupil
}

function lookOf(text: string): string {
  const kinds = [/[0-9]/, /[A-Za-z]/, /@/, /[-._]/, / /, /[^0-9A-Za-z@\-._ ]/].map((kind) => kind.test(text))
  const length = Buffer.byteLength(text)
  return `${kinds} ${[8, 20, 48].findIndex((most) => length <= most)}`
}

const numbers = [0, -0, 1, -1, 999999999, 2147483648, -2147483649, 9007199254740992, 1e19, 1e300]
const forms = ['1.0', '-1.50', '0.000', '1e3', '1E-3', '-2.5e+2', '123456789012345.5', '5e-324']
const texts = ['', '12', '-4', '007', '1.5', '2026-11-21', 'a "quoted" \\ word', 'line\nbreak', '😀', '/']
const variants = [
  JSON.stringify(ORDER),
  JSON.stringify(ORDER, null, 2),
  JSON.stringify(Object.fromEntries(Object.entries(ORDER).reverse())),
  JSON.stringify({ ...ORDER, id: 'seven', more: 3, note: null, total: true, gone: 'gone' }),
  JSON.stringify({ lines: Array.from({ length: 120 }, (_, i) => ({ sku: `S-${i}`, n: i })) }),
  '{"id" : 1 ,\t"lines":[ ]\r\n}',
  '{}',
  ...numbers.map((value) => JSON.stringify({ id: value, total: value })),
  ...forms.map((value) => `{"id":${value},"total":[]}`),
]
/** Texts that look like none before them are judged. */
const newLooks = [
  '{"note":"\\u0041\\/"}',
  ...texts.map((value) => JSON.stringify({ note: value, 'e-mail': value, lines: [{ sku: value }] })),
]

describe('bodies of a known shape', () => {
  test.each([...variants, ...newLooks])('%s is counted as key by key', (text) => {
    const pupil = shaped()
    const other = plain()
    if (newLooks.includes(text)) other.judgeNext()
    expect(pupil.isShaped(text)).toBe(true)
    expect(learnKnownBody(other.tree, text, 'RESPONSE_PAYLOAD', other.context)).toBe(true)
    expect(pupil.counts()).toEqual(other.counts())
    expect(pupil.context.sensitiveInResponse).toEqual(other.context.sensitiveInResponse)
  })

  test('a text that looks like none before it is judged at once, and none that looks like it', () => {
    const pupil = shaped()
    const note = pupil.tree.root.kids!.get('note')!
    const { verdicts } = note
    expect(pupil.isShaped('{"note":"word"}')).toBe(true)
    expect(note.verdicts).toBe(verdicts + 1)
    expect(pupil.isShaped('{"note":"another"}')).toBe(true)
    expect(pupil.isShaped('{"note":"two others"}')).toBe(true)
    expect(note.verdicts).toBe(verdicts + 1)
    expect(pupil.isShaped('{"note":"eve@shop.example"}')).toBe(true)
    expect(pupil.counts()).toContain('note:EMAIL:1:1000-1000')
  })

  test('each new look in one body is judged, whatever stands before it', () => {
    const pupil = shaped()
    const tags = ['x', 'a longer text', 'y', 'eve@shop.example', 'x']
    expect(pupil.isShaped(JSON.stringify({ lines: [{ tags }] }))).toBe(true)
    expect(pupil.counts()).toContain('lines#$#tags#$:EMAIL:1:1000-1000')
  })

  test('a value of a new look does not say what the usual ones are', () => {
    const pupil = shaped()
    const note = pupil.tree.root.kids!.get('note')!
    expect(pupil.isShaped('{"note":"eve@shop.example"}')).toBe(true)
    // A type that was not met before has the next hundred judged.
    for (let i = 0; i < 120; i++) expect(pupil.isShaped('{"note":"two words"}')).toBe(true)
    const { verdicts } = note
    expect(pupil.isShaped('{"note":"eve.of.the.longer.name@shop.example"}')).toBe(true)
    expect(note.verdicts).toBe(verdicts + 1)
    for (let i = 0; i < 30; i++) expect(pupil.isShaped('{"note":"two words"}')).toBe(true)
    expect(pupil.counts()).toContain('note:EMAIL:2:1000-1000')
  })

  test('texts look different by their kinds of characters and by a rough length', () => {
    const pupil = shaped()
    const { shapes } = scanned.scanner
    const known = new Set([lookOf('two words')])
    const alphabet = ['a', 'Z', 'p', '0', '9', '@', '-', '.', '_', ' ', '/', '(', '[', '`', '{', '~', 'é']
    let random = 1
    const next = (below: number) => {
      random = (Math.imul(random, 1664525) + 1013904223) >>> 0
      return Math.floor((random / 4294967296) * below)
    }
    for (let i = 0; i < 3000; i++) {
      const letters = Array.from({ length: 1 + next(3) }, () => alphabet[next(alphabet.length)]!)
      const text = `x${Array.from({ length: next(70) }, () => letters[next(letters.length)]).join('')}`
      const [start, end] = placeOf(JSON.stringify({ note: text }))
      const shape = memoryOf(pupil.tree).shape!
      shapes.setTicks(shape, shape.keys.indexOf(pupil.tree.root.kids!.get('note')!), 9)
      const look = lookOf(text)
      expect([text, shapes.read(shape, start, end, 1000)]).toEqual([text, known.has(look) ? 0 : 1])
      known.add(look)
    }
    expect(known.size).toBeGreaterThan(50)
  })

  test('earliest and latest time are kept by type', () => {
    const pupil = shaped()
    pupil.counts()
    pupil.learn('{"open":true}', 2000)
    pupil.learn('{"open":false}', 3000)
    pupil.learn('{"open":false}', 500)
    const counts = pupil.counts().filter((text) => text.startsWith('open:'))
    expect(counts).toEqual([`open:FALSE:2:500-3000`, `open:TRUE:${TIMES + 2}:1000-2000`])
  })

  test('a new key, met in between, is learned and makes another shape', () => {
    const pupil = shaped()
    const { shape } = memoryOf(pupil.tree)
    expect(pupil.learn('{"id":1,"fresh":2}')).toBe(false)
    pupil.general('{"id":1,"fresh":2}')
    expect(pupil.learn('{"id":1,"fresh":2}')).toBe(true)
    for (let i = 0; i < 100; i++) pupil.learn('{"id":1,"fresh":2}')
    expect(memoryOf(pupil.tree).shape).not.toBe(shape)
    const counts = pupil.counts()
    expect(counts).toContain('fresh:INTEGER_32:102:1000-1000')
    expect(counts).toContain(`id:INTEGER_32:${TIMES + 103}:1000-1000`)
  })

  test('a place whose shape was dropped is read key by key until it has earned another', () => {
    const pupil = shaped()
    pupil.counts()
    scanned.scanner.shapes.clear()
    const isShaped = Array.from({ length: 100 }, () => {
      expect(pupil.learn(JSON.stringify(ORDER))).toBe(true)
      return memoryOf(pupil.tree).shape !== null
    })
    expect([isShaped.indexOf(true) >= 64, isShaped.at(-1)]).toEqual([true, true])
    expect(pupil.counts()).toContain(`id:INTEGER_32:${TIMES + 101}:1000-1000`)
  })
})

test('a text that was changed, cut or doubled anywhere is read by its shape only when it is read key by key', () => {
  const whole =
    '{"id":7,"note":"a\\nb","open":true,"gone":null,"total":-1.5e3,"lines":[{"sku":"A","n":1,"tags":[]}]}'
  const pupil = shaped()
  const other = plain()
  const signs = ['"', '\\', '{', '}', '[', ']', ',', ':', '0', '-', '.', 'e', 'u', ' ', '\u0001', 'é', '']
  let read = 0
  for (let at = 0; at <= whole.length; at++) {
    for (const sign of signs) {
      const changed = [
        whole.slice(0, at) + sign + whole.slice(at + 1),
        whole.slice(0, at) + sign + whole.slice(at),
      ]
      for (const text of [...changed, whole.slice(0, at)]) {
        const isRead = pupil.isShaped(text)
        memoryOf(other.tree).misses = 0
        const isKnown = learnKnownBody(other.tree, text, 'RESPONSE_PAYLOAD', other.context)
        if (isRead) read++
        expect([text, isRead]).toEqual([text, isKnown])
      }
    }
  }
  expect(read).toBeGreaterThan(300)
  const withoutTypes = (counts: string[]): string[] => counts.map((count) => count.split(':')[0]!)
  expect(new Set(withoutTypes(pupil.counts()))).toEqual(new Set(withoutTypes(other.counts())))
})
