import { expect, test } from 'vitest'
import { LeftOutNotes, summarise } from './summarise.ts'

const facts = {
  end: 'finished' as const,
  notes: new LeftOutNotes(),
  counts: { waiting: { load: 0, explore: 0, probe: 0 }, leased: 0, helpers: 0 },
  changes: null,
  isSignedIn: true,
  seen: 3,
  refused: 0,
  hasKind: () => true,
}

test('a crawl that found nothing to use says so', () => {
  expect(summarise({ ...facts, work: { actions: 0, blank: 0, lastWrite: null } }).advice).toEqual([
    expect.stringMatching(/^No page showed anything to use/),
  ])
  expect(summarise({ ...facts, work: { actions: 1, blank: 0, lastWrite: null } }).advice).toEqual([])
})

test('a crawl after which pages showed nothing any more says so, and what was written last before', () => {
  const broken = { ...facts, work: { actions: 200, blank: 40, lastWrite: 'PUT /api/settings' } }
  expect(summarise(broken).advice).toEqual([
    expect.stringMatching(/^The last 40 pages showed nothing to use.* PUT \/api\/settings/),
  ])
  expect(summarise({ ...broken, work: { ...broken.work, blank: 3 } }).advice).toEqual([])
})
