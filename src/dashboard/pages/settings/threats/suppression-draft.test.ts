import { expect, test } from 'vitest'
import { emptyDraft, endOf, hasScope } from './suppression-draft.ts'

const now = Date.parse('2026-02-01T12:00') / 1000

test('a draft of blanks says nothing of events', () => {
  expect(hasScope({ ...emptyDraft, host: ' ', reason: 'because' })).toBe(false)
  expect(hasScope({ ...emptyDraft, collection: '7' })).toBe(true)
  expect(hasScope({ ...emptyDraft, actor: '203.0.113.9' })).toBe(true)
})

test('it ends never, after a while, or at a time to come', () => {
  expect(endOf(emptyDraft, now)).toBe(0)
  expect(endOf({ ...emptyDraft, length: '86400' }, now)).toBe(now + 86_400)
  expect(endOf({ ...emptyDraft, length: 'date', date: '2026-02-01T12:05' }, now)).toBe(now + 300)
  expect(endOf({ ...emptyDraft, length: 'date', date: '2026-02-01T11:59' }, now)).toBe(null)
  expect(endOf({ ...emptyDraft, length: 'date', date: '' }, now)).toBe(null)
})
