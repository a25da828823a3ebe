import { expect, test } from 'vitest'
import { typesOfRows } from './types-of-rows.ts'

test('the data type of most endpoints comes first, and each type once', () => {
  const rows = [
    { sensitiveInRequest: ['JWT'], sensitiveInResponse: ['EMAIL', 'JWT'] },
    { sensitiveInRequest: [], sensitiveInResponse: ['EMAIL'] },
    { sensitiveInRequest: ['ADDRESS'], sensitiveInResponse: [] },
  ]
  expect(typesOfRows(rows)).toEqual(['EMAIL', 'ADDRESS', 'JWT'])
})
