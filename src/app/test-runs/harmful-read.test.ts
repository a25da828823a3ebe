import { expect, test } from 'vitest'
import { harmOfRead } from './harmful-read.ts'

test.each(['/createdb', '/api/reset', '/db/reset-database', '/seed_data', '/admin/dropTables', '/wipe/'])(
  'reading %s makes the data anew',
  (path) => expect(harmOfRead(path)).toBe('makes the data anew'),
)

test.each(['/logout', '/api/v1/sign-out', '/auth/logOff'])('reading %s ends the session', (path) =>
  expect(harmOfRead(path)).toBe('ends the session'),
)

test.each([
  ...['/', '/orders', '/orders/{reset}', '/reset/{token}', '/resets', '/password/reset-link', '/create'],
  ...['/db', '/database', '/restore-points', '/setup', '/seeds', '/logouts-per-day', '/transfers', '/delete'],
])('reading %s is an ordinary read', (path) => expect(harmOfRead(path)).toBeNull())
