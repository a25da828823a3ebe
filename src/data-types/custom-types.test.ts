import { describe, expect, it } from 'vitest'
import type { CustomConditions, CustomDataType } from './custom-types.ts'
import { compileCustomTypes } from './custom-types.ts'
import type { ValueContext } from './detector.ts'

function type(rest: Partial<CustomDataType>): CustomDataType {
  return { name: 'LOYALTY', isActive: true, operator: 'AND', sensitiveAlways: true, sensitiveIn: [], ...rest }
}

function under(key: string): ValueContext {
  return { key, parentKey: '', location: 'RESPONSE_PAYLOAD' }
}

function value(...predicates: CustomConditions['predicates']): CustomConditions {
  return { operator: 'AND', predicates }
}

describe('custom data types', () => {
  it('match the whole value by pattern', () => {
    const { detect } = compileCustomTypes([
      type({ valueConditions: value({ operator: 'REGEX', value: 'LOY-\\d{6}' }) }),
    ])
    expect(detect('LOY-123456', under('v'))).toEqual(['LOYALTY'])
    expect(detect('xLOY-123456', under('v'))).toEqual([])
  })

  it('have patterns that no value makes slow', () => {
    const slow = (regex: string) =>
      compileCustomTypes([type({ valueConditions: value({ operator: 'REGEX', value: regex }) })])
    expect(slow('(?:a?){900}a{900}').errors).toEqual([
      { name: 'LOYALTY', reason: expect.stringContaining('at most 2000 can be searched for') },
    ])
    const { detect } = slow('(?:a?){400}a{300}')
    expect([detect('a'.repeat(300), under('v')), detect('a'.repeat(350), under('v'))]).toEqual([[], []])
    expect(slow('a{100}').detect('a'.repeat(100), under('v'))).toEqual(['LOYALTY'])
  })

  it('know every operator', () => {
    const holds = (operator: string, wanted: string | string[] | undefined, text: string): boolean => {
      const predicate = { operator, value: wanted } as CustomConditions['predicates'][number]
      return (
        compileCustomTypes([type({ valueConditions: value(predicate) })]).detect(text, under('v')).length ===
        1
      )
    }
    expect([holds('STARTS_WITH', 'ab', 'abc'), holds('STARTS_WITH', 'b', 'abc')]).toEqual([true, false])
    expect([holds('ENDS_WITH', 'bc', 'abc'), holds('ENDS_WITH', 'b', 'abc')]).toEqual([true, false])
    expect([holds('EQUALS_TO', 'abc', 'abc'), holds('EQUALS_TO', 'ab', 'abc')]).toEqual([true, false])
    expect([holds('CONTAINS', 'b', 'abc'), holds('CONTAINS', 'x', 'abc')]).toEqual([true, false])
    expect([
      holds('IS_NUMBER', undefined, '4.2'),
      holds('IS_NUMBER', undefined, 'four'),
      holds('IS_NUMBER', undefined, ' '),
    ]).toEqual([true, false, false])
    expect([holds('BELONGS_TO', ['a', 'b'], 'a'), holds('BELONGS_TO', ['a', 'b'], 'c')]).toEqual([
      true,
      false,
    ])
    expect([holds('NOT_BELONGS_TO', ['a', 'b'], 'c'), holds('NOT_BELONGS_TO', ['a', 'b'], 'a')]).toEqual([
      true,
      false,
    ])
  })

  it('join key and value conditions by AND and OR', () => {
    const conditions = {
      keyConditions: value({ operator: 'CONTAINS', value: 'loyal' }),
      valueConditions: value({ operator: 'STARTS_WITH', value: 'L' }),
    }
    const both = compileCustomTypes([type(conditions)])
    expect(both.detect('L1', under('loyalty'))).toEqual(['LOYALTY'])
    expect(both.detect('X1', under('loyalty'))).toEqual([])
    const either = compileCustomTypes([type({ ...conditions, operator: 'OR' })])
    expect(either.detect('X1', under('loyalty'))).toEqual(['LOYALTY'])
    expect(either.detect('X1', under('other'))).toEqual([])
  })

  it('join predicates by OR', () => {
    const valueConditions: CustomConditions = {
      operator: 'OR',
      predicates: [
        { operator: 'EQUALS_TO', value: 'a' },
        { operator: 'EQUALS_TO', value: 'b' },
      ],
    }
    expect(compileCustomTypes([type({ valueConditions })]).detect('b', under('v'))).toEqual(['LOYALTY'])
  })

  it('name the bad pattern and keep the good types', () => {
    const compiled = compileCustomTypes([
      type({ name: 'BAD', valueConditions: value({ operator: 'REGEX', value: '(a+' }) }),
      type({ name: 'LOOK', valueConditions: value({ operator: 'REGEX', value: '(?=a)b' }) }),
      type({ name: 'EMPTY' }),
      type({ name: 'GOOD', valueConditions: value({ operator: 'EQUALS_TO', value: 'x' }) }),
    ])
    expect(compiled.errors.map((error) => error.name)).toEqual(['BAD', 'LOOK', 'EMPTY'])
    expect(compiled.errors[0]?.reason).toContain('"(a+"')
    expect(compiled.detect('x', under('v'))).toEqual(['GOOD'])
  })

  it('cannot be made slow by a pattern', () => {
    const { detect } = compileCustomTypes([
      type({ valueConditions: value({ operator: 'REGEX', value: '(a+)+b' }) }),
    ])
    const before = process.hrtime.bigint()
    detect('a'.repeat(4000), under('v'))
    expect(Number(process.hrtime.bigint() - before) / 1e6).toBeLessThan(1500)
  })

  it('leave out inactive types and ignored keys, and put sensitive ones first', () => {
    const valueConditions = value({ operator: 'EQUALS_TO', value: 'x' })
    const compiled = compileCustomTypes([
      type({ name: 'OFF', isActive: false, valueConditions }),
      type({ name: 'PLAIN', sensitiveAlways: false, valueConditions }),
      type({ name: 'SECRET_ONE', valueConditions, ignoredKeys: ['ok'] }),
      type({ name: 'ANSWERS', sensitiveAlways: false, sensitiveIn: ['RESPONSE_PAYLOAD'], valueConditions }),
    ])
    expect(compiled.detect('x', under('v'))).toEqual(['SECRET_ONE', 'ANSWERS', 'PLAIN'])
    expect(compiled.detect('x', under('ok'))).toEqual(['ANSWERS', 'PLAIN'])
    expect(compiled.isSensitive('ANSWERS', 'RESPONSE_PAYLOAD')).toBe(true)
    expect(compiled.isSensitive('ANSWERS', 'QUERY')).toBe(false)
    expect(compiled.isSensitive('SECRET_ONE', 'QUERY')).toBe(true)
  })
})
