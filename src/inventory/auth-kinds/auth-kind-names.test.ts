import { expect, test } from 'vitest'
import { authTypes } from '../../contract/index.ts'
import { AUTH_KIND_NAMES } from './index.ts'

test('the contract names every kind that is found, and UNAUTHENTICATED', () => {
  expect([...authTypes].sort()).toEqual([...AUTH_KIND_NAMES, 'UNAUTHENTICATED'].sort())
})
