import { describe, expect, test } from 'vitest'
import { DEFAULT_RULES } from '../../../data-types/index.ts'
import { learnBody } from '../learn/learn-body.ts'
import type { Fact } from '../state/index.ts'
import { KeyTree } from '../state/index.ts'
import type { LearningContext } from '../values/index.ts'
import { NO_FAST_PATHS } from '../values/index.ts'
import { learnKnownBody } from './known-body.ts'

class Pupil {
  readonly tree = new KeyTree(() => 1, 'RESPONSE_BODY', 200)
  readonly #touched: Fact[] = []
  readonly #context: LearningContext = {
    at: 1000,
    pending: [],
    touched: this.#touched,
    keepsValues: true,
    rules: DEFAULT_RULES,
    fastPaths: NO_FAST_PATHS,
    sensitiveInRequest: [],
    sensitiveInResponse: [],
  }

  general(text: string): void {
    learnBody(this.tree, JSON.parse(text), 'RESPONSE_PAYLOAD', this.#context)
  }

  known(text: string): boolean {
    return learnKnownBody(this.tree, text, 'RESPONSE_PAYLOAD', this.#context)
  }

  counts(): string[] {
    return this.#touched.map((fact) => `${fact.name}:${fact.type}:${fact.fresh}`).sort()
  }
}

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

function taught(...bodies: unknown[]): Pupil {
  const pupil = new Pupil()
  for (const body of bodies) pupil.general(JSON.stringify(body))
  return pupil
}

describe('bodies whose keys are known', () => {
  const numbers = [
    0, -0, 1, -1, 999999999, 2147483647, 2147483648, -2147483649, 9007199254740992, 1e19, 1e300,
  ]
  const fractions = ['1.0', '-1.50', '0.10', '0.000', '1e3', '1E-3', '-2.5e+2', '123456789012345.5', '5e-324']
  const texts = [
    '',
    '12',
    '-4',
    '007',
    '1.5',
    '2026-11-21',
    'a "quoted" \\ word',
    'line\nbreak',
    '\u0000',
    '😀',
    '/',
  ]
  const variants = [
    JSON.stringify(ORDER),
    JSON.stringify(ORDER, null, 2),
    JSON.stringify({ ...ORDER, id: 'seven', more: 3, lines: 'none', note: null }),
    JSON.stringify({ total: 1, id: 2 }),
    JSON.stringify({ lines: Array.from({ length: 120 }, (_, i) => ({ sku: `S-${i}`, n: i })) }),
    '{"id" : 1 ,\t"lines":[ ]\r\n}',
    '{}',
    ...numbers.map((value) => JSON.stringify({ id: value, total: value })),
    ...fractions.map((value) => `{"id":${value},"total":[]}`),
    ...texts.map((value) => JSON.stringify({ note: value, 'e-mail': value, lines: [{ sku: value }] })),
    '{"note":"\\u0041\\/","paid":true}',
  ]

  test.each(variants)('%s is counted as the general way counts it', (text) => {
    for (const times of [1, 150]) {
      const known = taught(...Array.from({ length: times }, () => ORDER))
      const general = taught(...Array.from({ length: times }, () => ORDER))
      expect(known.known(text)).toBe(true)
      general.general(text)
      expect(known.counts()).toEqual(general.counts())
    }
  })

  test('arrays as bodies', () => {
    const known = taught([{ a: 1 }, { a: 2 }])
    expect(known.known('[{"a":3},{"a":"x"}]')).toBe(true)
    expect(known.counts()).toEqual(['json#$#a:GENERIC:1', 'json#$#a:INTEGER_32:3'])
  })
})

describe('left to the general way, with nothing learned', () => {
  test.each([
    ['a new key', '{"id":1,"fresh":2}'],
    ['a new key inside', '{"id":1,"lines":[{"sku":"A"},{"other":1}]}'],
    ['a known key where it was not', '{"sku":1}'],
    ['an object where a value was', '{"id":{"x":1}}'],
    ['a list where a value was', '{"id":[1]}'],
    ['a key twice', '{"id":1,"id":2}'],
    ['an escaped key', '{"\\u0069d":1}'],
    ['a cut text', '{"id":1,"note":"abc'],
    ['a cut object', '{"id":1'],
    ['text after the end', '{"id":1} x'],
    ['a comma too much', '{"id":1,}'],
    ['a comma too much in a list', '{"lines":[1,]}'],
    ['a leading zero', '{"id":01}'],
    ['half a number', '{"id":1.}'],
    ['a bare minus', '{"id":-}'],
    ['half an exponent', '{"id":1e}'],
    ['an unknown word', '{"id":nil}'],
    ['a bad escape', '{"note":"\\x"}'],
    ['no colon', '{"id" 1}'],
    ['a scalar', '"text"'],
    ['nothing', '  '],
  ])('%s', (_name, text) => {
    const pupil = taught(ORDER)
    const before = pupil.counts()
    expect(pupil.known(text)).toBe(false)
    expect(pupil.counts()).toEqual(before)
  })

  test('a key that ends in a backslash is not taken for an escape', () => {
    const pupil = taught({ 'a\\n': 1 })
    expect(pupil.known('{"a\\n":1}')).toBe(false)
  })

  test('maps', () => {
    const prices = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`AB${i}`, i]))
    expect(taught({ prices }).known('{"prices":{"AB1":1}}')).toBe(false)
  })

  test('a place whose bodies are never known is tried rarely, and again when they are', () => {
    const pupil = taught({ id: 1 })
    for (let i = 0; i < 100; i++) expect(pupil.known(`{"id":1,"k${i}":1}`)).toBe(false)
    const tries = Array.from({ length: 40 }, () => pupil.known('{"id":1}'))
    expect(tries.slice(-20)).not.toContain(false)
  })
})

test('a type that was not met before has the next hundred values judged again', () => {
  const pupil = taught(...Array.from({ length: 13_000 }, () => ({ note: 'web' })))
  const count = (type: string) => {
    const found = pupil.counts().find((text) => text.startsWith(`note:${type}:`))
    return found === undefined ? 0 : Number(found.split(':')[2])
  }
  let sent = 0
  for (; count('EMAIL') === 0 && sent < 64; sent++) pupil.known(`{"note":"user${sent}@mail.example"}`)
  expect(count('EMAIL')).toBe(1)
  const before = count('GENERIC')
  for (let i = 0; i < 50; i++) {
    pupil.known(`{"note":"user${i}@mail.example"}`)
    pupil.known('{"note":"web"}')
  }
  expect([count('EMAIL'), count('GENERIC')]).toEqual([51, before + 50])
})
