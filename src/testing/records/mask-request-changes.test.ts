import { expect, test } from 'vitest'
import { maskRequestChanges, secretsOfChanges, unmaskRequestChanges } from './mask-request-changes.ts'

const CHANGES = [
  {
    operatorType: 'ADD_HEADER',
    operationsGroupList: [
      { key: 'X-Env-Key', value: 'key-of-the-environment' },
      { key: 'Accept', value: 'text/html' },
    ],
  },
  {
    operatorType: 'modify_body_param',
    operationsGroupList: [
      { key: 'password', value: 'correct horse' },
      { key: 'name', value: 'Ann' },
    ],
  },
]

test('values of headers and of fields named like credentials are masked, others are not', () => {
  const [headers, fields] = maskRequestChanges(CHANGES)
  expect(headers!.operationsGroupList.map(({ value }) => value)).toEqual(['key-***', 'text/html'])
  expect(fields!.operationsGroupList.map(({ value }) => value)).toEqual(['corr***', 'Ann'])
  expect(secretsOfChanges(CHANGES)).toEqual(['key-of-the-environment', 'correct horse'])
})

test('a mask that is sent back keeps the stored value, and a mask of nothing is refused', () => {
  expect(unmaskRequestChanges(maskRequestChanges(CHANGES), CHANGES)).toEqual(CHANGES)
  expect(() => unmaskRequestChanges(maskRequestChanges(CHANGES), [])).toThrow(
    expect.objectContaining({ code: 'AUTH_VALUE_MASKED' }),
  )
})
