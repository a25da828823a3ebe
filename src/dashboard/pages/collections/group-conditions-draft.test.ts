import { expect, test } from 'vitest'
import {
  conditionText,
  emptyCondition,
  groupConditionsOf,
  groupDraftOf,
  isCompleteGroup,
} from './group-conditions-draft.ts'

const stored = [
  { type: 'METHOD', operator: 'AND', data: { methods: ['DELETE', 'PUT'] } },
  { type: 'COLLECTION', operator: 'OR', data: { apiCollectionIds: [7] } },
  { type: 'HOST_REGEX', operator: 'OR', data: { regex: 'shop' } },
  { type: 'ALL', operator: 'AND', data: {} },
  { type: 'CUSTOM', operator: 'OR', data: { apisList: [{ apiCollectionId: 1, method: 'GET', url: '/a' }] } },
]

test('conditions of a group come back from the form as they were stored', () => {
  const drafts = groupDraftOf({ conditions: JSON.stringify(stored) })
  expect(groupConditionsOf(drafts)).toEqual(stored)
  expect(drafts.map((draft) => conditionText(draft, new Map([[7, 'shop']])))).toEqual([
    'its method is DELETE or PUT',
    'its collection is shop',
    'its host matches the pattern “shop”',
    'every endpoint',
    'it is one of 1 endpoints',
  ])
})

test('a group needs conditions that say what they look for', () => {
  expect(isCompleteGroup([])).toBe(false)
  expect(isCompleteGroup([emptyCondition])).toBe(false)
  expect(isCompleteGroup([{ ...emptyCondition, pattern: '/admin' }])).toBe(true)
  expect(isCompleteGroup([{ ...emptyCondition, type: 'ALL' }])).toBe(true)
  expect(isCompleteGroup([{ ...emptyCondition, type: 'PARAM' }])).toBe(false)
  expect(groupDraftOf({ conditions: null })).toEqual([])
})
