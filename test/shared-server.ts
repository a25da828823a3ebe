import { test } from 'vitest'
import { signUpPerson, startTestServer, type TestPerson, type TestServer } from './harness.ts'

/**
 * Tests with `shared`, one server for all files of a worker process that only read, or use collections, hosts and people
 * of their own:
 *
 *   sharing.beforeAll(({ shared }) => {
 *     server = shared
 *   })
 */
// biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures it needs
export const sharing = test.extend('shared', { scope: 'worker' }, async ({}, { onCleanup }) => {
  const shared = await startTestServer()
  onCleanup(() => shared.close())
  return shared
})

const admins = new WeakMap<TestServer, Promise<TestPerson>>()

/** The administrator of a server, whom the first who asks signs up. */
export function adminOf(server: TestServer): Promise<TestPerson> {
  const known = admins.get(server) ?? signUpPerson(server, 'admin@example.org')
  admins.set(server, known)
  return known
}
