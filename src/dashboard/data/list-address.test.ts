import { expect, test } from 'vitest'
import { lastPageBefore } from './list-address.ts'

test('a page past the end of a list leads to its last page', () => {
  const page = { page: 2, pageSize: 50, rows: 0 }
  expect(lastPageBefore({ ...page, total: 100 })).toBe(1)
  expect(lastPageBefore({ ...page, total: 1 })).toBe(0)
})

test('a list stays on its page while it loads, is empty, or has rows there', () => {
  const page = { page: 2, pageSize: 50, rows: 0 }
  expect(lastPageBefore({ ...page, rows: undefined, total: undefined })).toBeNull()
  expect(lastPageBefore({ ...page, total: 0 })).toBeNull()
  expect(lastPageBefore({ ...page, rows: 3, total: 103 })).toBeNull()
  // A count that is behind its rows.
  expect(lastPageBefore({ ...page, total: 120 })).toBeNull()
})
