import { expect, test } from 'vitest'
import {
  type ConditionsDraft,
  conditionsDraftOf,
  conditionsOf,
  emptyPredicate,
  isComplete,
  noConditions,
  predicateText,
} from './conditions-draft.ts'

const basket = { method: 'GET', apiCollectionId: 7, url: '/basket/INTEGER' }
const draft: ConditionsDraft = {
  and: {
    operator: 'AND',
    predicates: [
      { type: 'STARTS_WITH', text: '/api', endpoints: [] },
      { type: 'NOT_BELONGS_TO', text: '', endpoints: [basket] },
    ],
  },
  or: { operator: 'OR', predicates: [{ type: 'IS_NUMBER', text: '', endpoints: [] }] },
}

test('conditions come back from the form as they went in', () => {
  const sent = conditionsOf(draft)
  expect(sent.andConditions?.predicates.map(({ value }) => value)).toEqual(['/api', [basket]])
  expect(conditionsDraftOf({ andConditions: null, orConditions: null, ...sent })).toEqual(draft)
})

test('a group without conditions is sent as none', () => {
  expect(conditionsOf(noConditions)).toEqual({ andConditions: null, orConditions: null })
  expect(conditionsDraftOf({ andConditions: null, orConditions: null })).toEqual(noConditions)
})

test('what no longer counts is not sent', () => {
  const or = {
    operator: 'OR',
    predicates: [{ type: 'IS_NUMBER', text: 'old', endpoints: [basket] }],
  } as const
  expect(conditionsOf({ ...noConditions, or }).orConditions?.predicates).toEqual([
    { type: 'IS_NUMBER', value: '' },
  ])
})

test('a condition that compares with nothing is not complete', () => {
  const withOne = (changes: object): ConditionsDraft => ({
    ...noConditions,
    and: { operator: 'AND', predicates: [{ ...emptyPredicate, ...changes }] },
  })
  expect(isComplete(noConditions)).toBe(true)
  expect(isComplete(withOne({}))).toBe(false)
  expect(isComplete(withOne({ text: '/a' }))).toBe(true)
  expect(isComplete(withOne({ type: 'BELONGS_TO', text: '/a' }))).toBe(false)
  expect(isComplete(withOne({ type: 'BELONGS_TO', endpoints: [basket] }))).toBe(true)
})

test('says a condition in words', () => {
  const names = new Map([[7, 'shop']])
  expect(draft.and.predicates.map((one) => predicateText(one, names))).toEqual([
    'its URL starts with “/api”',
    'it is none of GET /basket/INTEGER (shop)',
  ])
  const many = { ...emptyPredicate, type: 'BELONGS_TO', endpoints: Array(7).fill(basket) } as const
  expect(predicateText(many, new Map())).toMatch(/\(collection 7\) and 2 more$/)
})
