import { describe, expect, test } from 'vitest'
import { DEFAULT_RULES } from '../../../data-types/index.ts'
import { learnBody } from '../learn/learn-body.ts'
import type { LearningContext } from '../values/index.ts'
import { NO_FAST_PATHS } from '../values/index.ts'
import type { Fact } from './fact.ts'
import { KeyTree } from './key-tree.ts'

function learn(...bodies: unknown[]): { tree: KeyTree; facts: Fact[] } {
  const tree = new KeyTree(() => 1, 'RESPONSE_BODY', 200)
  const facts: Fact[] = []
  for (const body of bodies) {
    const context: LearningContext = {
      at: 1000,
      pending: [],
      touched: facts,
      keepsValues: true,
      rules: DEFAULT_RULES,
      fastPaths: NO_FAST_PATHS,
      sensitiveInRequest: [],
      sensitiveInResponse: [],
    }
    learnBody(tree, body, 'RESPONSE_PAYLOAD', context)
  }
  return { tree, facts }
}

function names(facts: Fact[]): string[] {
  return facts.map((fact) => `${fact.name}:${fact.type}`).sort()
}

describe('flattened keys', () => {
  test.each([
    [{ a: { b: [{ c: 1 }] } }, ['a#b#$#c:INTEGER_32']],
    [[{ k: 1 }, { k: 2 }], ['json#$#k:INTEGER_32']],
    [{ tags: ['x', 'y'] }, ['tags#$:GENERIC']],
    [{ '12345': { n: 1 } }, ['NUMBER#n:INTEGER_32']],
    [{ opts: {} }, ['opts:OTHER']],
    [{ 'a#b': true, c$: null }, ['a%23b:TRUE', 'c%24:NULL']],
    [
      JSON.parse('{"__proto__":{"x":1},"constructor":2}'),
      ['__proto__#x:INTEGER_32', 'constructor:INTEGER_32'],
    ],
  ])('%j', (body, expected) => {
    expect(names(learn(body).facts)).toEqual(expected)
  })

  test('every message counts once per key and type', () => {
    const { facts } = learn({ a: 1 }, { a: 2 }, { a: null })
    expect(facts.map((fact) => [fact.name, fact.type, fact.fresh]).sort()).toEqual([
      ['a', 'INTEGER_32', 2],
      ['a', 'NULL', 1],
    ])
  })

  test('keys that are data become one', () => {
    const prices = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`AB${i}`, i]))
    const { facts } = learn({ prices })
    expect(names(facts)).toContain('prices#*:INTEGER_32')
    expect(facts.length).toBeLessThan(60)
  })

  test('ordinary keys stay apart, however many', () => {
    const words =
      'name street city country zip mail phone mobile title role team unit floor desk badge photo about site language zone currency created updated deleted archived locked owner parent group'
    const wide = Object.fromEntries(words.split(' ').map((key) => [key, 'x']))
    expect(learn(wide).facts).toHaveLength(words.split(' ').length)
  })

  test('depth, breadth and leaves are bounded', () => {
    let deep: unknown = 1
    for (let i = 0; i < 5000; i++) deep = { d: deep }
    const wide = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, i) => [`key${'abcdefghij'[i % 10]}x${i}y`, 1]),
    )
    const { tree, facts } = learn(deep, wide, { list: Array.from({ length: 100_000 }, () => 1) })
    expect(facts.length).toBeLessThan(3000)
    expect(tree.leftOut).toBeGreaterThan(0)
  })
})

describe('values', () => {
  test('sensitive values are never kept as examples', () => {
    const { facts } = learn({ email: 'ann@shop.example', note: 'hello' })
    const byName = new Map(facts.map((fact) => [fact.name, fact]))
    expect(byName.get('email')!.type).toBe('EMAIL')
    expect(byName.get('email')!.isSensitive).toBe(true)
    expect(byName.get('email')!.detail).toBeNull()
    expect(byName.get('note')!.detail).toMatchObject({ examples: ['hello'], distinct: 1 })
  })

  test('a sensitive type is still recognised after the first hundred values', () => {
    const bodies = Array.from({ length: 400 }, (_, i) => ({
      contact: i < 200 ? `note ${i}` : `u${i}@shop.example`,
    }))
    const types = names(learn(...bodies).facts)
    expect(types).toContain('contact:EMAIL')
  })
})
