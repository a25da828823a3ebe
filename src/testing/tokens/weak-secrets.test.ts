import { expect, test } from 'vitest'
import { COMMON_SECRETS } from './weak-secrets.ts'

test('words that are put together are tried in the cases that developers write', () => {
  const tried = new Set(COMMON_SECRETS)
  for (const secret of [
    'SuperSecret',
    'superSecret',
    'super_secret',
    'mysecretKey',
    'jwtSecret',
    'JWT_SECRET',
    '',
  ])
    expect([secret, tried.has(secret)]).toEqual([secret, true])
})
