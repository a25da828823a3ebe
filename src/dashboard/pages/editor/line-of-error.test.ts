import { expect, test } from 'vitest'
import { lineOfError } from './line-of-error.ts'

test('finds the line that a refusal names', () => {
  expect(lineOfError('Error in template: line 14, column 7: there is no operator "contains"')).toBe(14)
  expect(lineOfError('Error in template: info key absent')).toBeNull()
})
