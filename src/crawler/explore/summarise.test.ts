import { expect, test } from 'vitest'
import { LeftOutNotes, summarise } from './summarise.ts'

test('a crawl that found nothing to use says so', () => {
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
  expect(summarise({ ...facts, actions: 0 }).advice).toEqual([
    expect.stringMatching(/^No page showed anything to use/),
  ])
  expect(summarise({ ...facts, actions: 1 }).advice).toEqual([])
})
