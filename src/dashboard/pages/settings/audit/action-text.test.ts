import { expect, test } from 'vitest'
import { actionText } from './action-text.ts'

test('names of operations read as words', () => {
  expect(actionText('updateUserRole')).toBe('Update user role')
  expect(actionText('generateReportPDF')).toBe('Generate report PDF')
  expect(actionText('addApiToken')).toBe('Create API key')
  expect(actionText('addApisToCustomCollection')).toBe('Add APIs to custom collection')
})
