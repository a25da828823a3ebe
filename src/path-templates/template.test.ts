import { describe, expect, it } from 'vitest'
import { paramNames } from './param-names.ts'
import { formatTemplate, parseTemplate, shapeText } from './template.ts'

describe('parseTemplate', () => {
  it('reads the spellings of parameters that frameworks use', () => {
    for (const text of ['/users/{id}/x', '/users/:id/x', '/users/<id>/x', '/users/STRING/x']) {
      expect(shapeText(parseTemplate(text).segments)).toBe('/users/{}/x')
    }
    expect(parseTemplate('/users/<int:id>').text).toBe('/users/INTEGER')
    expect(parseTemplate('/files/{path*}').segments[1]).toMatchObject({ kind: 'param', isTail: true })
  })

  it('does not take a word that holds a type name for a parameter', () => {
    expect(parseTemplate('/api/STRING_TABLE').segments[1]).toEqual({ kind: 'literal', value: 'STRING_TABLE' })
  })

  it('keeps literal text that is a type word apart from a parameter', () => {
    const literal = [{ kind: 'literal', value: 'STRING' } as const]
    const param = [{ kind: 'param', type: 'STRING' } as const]
    expect(formatTemplate(literal)).toBe(formatTemplate(param))
    expect(shapeText(literal)).not.toBe(shapeText(param))
  })
})

describe('paramNames', () => {
  it('derives names from the segment before', () => {
    expect(paramNames(parseTemplate('/orders/INTEGER/line-items/STRING').segments)).toEqual([
      null,
      'orderId',
      null,
      'lineItemId',
    ])
    expect(paramNames(parseTemplate('/categories/STRING/STRING').segments)).toEqual([
      null,
      'categoryId',
      'id',
    ])
  })

  it('never gives a name twice', () => {
    expect(paramNames(parseTemplate('/users/STRING/users/STRING').segments)).toEqual([
      null,
      'userId',
      null,
      'userId2',
    ])
  })
})
