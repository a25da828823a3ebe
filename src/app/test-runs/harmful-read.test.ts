import { expect, test } from 'vitest'
import { harmOfRead } from './harmful-read.ts'

test.each([
  ...['/createdb', '/api/reset', '/db/reset-database', '/seed_data', '/admin/dropTables', '/wipe/'],
  ...['/reset.php', '/createdb.json', '/reset/all', '/reset/{tenant}/now'],
])('reading %s makes the data anew', (path) => expect(harmOfRead(path)).toBe('makes the data anew'))

test.each([
  ...['/logout', '/api/v1/sign-out', '/auth/logOff', '/logout.do'],
  ...['/logout/all', '/auth/logout/callback', '/api/signOut/{device}/everywhere'],
])('reading %s ends the session', (path) => expect(harmOfRead(path)).toBe('ends the session'))

test.each(['/users/{id}/delete', '/users/{id}/avatar/remove', '/orders/{id}/destroy.php'])(
  'reading %s deletes what it names',
  (path) => expect(harmOfRead(path)).toBe('deletes what it names'),
)

test.each([
  ...['/', '/orders', '/orders/{reset}', '/reset/{token}', '/resets', '/password/reset-link', '/create'],
  ...['/db', '/database', '/restore-points', '/setup', '/seeds', '/logouts-per-day', '/transfers', '/delete'],
  ...['/users/{id}/delete-requests', '/users/delete/{id}/state', '/data/reset.d/{name}', '/v1.2/orders'],
])('reading %s is an ordinary read', (path) => expect(harmOfRead(path)).toBeNull())
