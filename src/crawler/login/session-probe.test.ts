import { expect, test } from 'vitest'
import type { DriverContext } from '../browser/driver.ts'
import { askSessionProbe, type SessionProbe } from './session-probe.ts'

const url = 'https://shop.test/api/whoami'
/** Its status tells who is signed in, or the name in it does. */
const byStatus: SessionProbe = { url, anonymous: '401 /api/whoami', signedIn: '200 /api/whoami', mark: '' }
const byName: SessionProbe = { url, anonymous: '200 /api/whoami', signedIn: '200 /api/whoami', mark: 'ada' }

/** A context in which the probe is answered like this. */
function answering(head: string, text: string): DriverContext {
  const page = {
    goto: async () => ({ problem: null }),
    evaluate: async () => ({ head, text }),
    close: async () => {},
  }
  return { newPage: async () => page, session: async () => ({ headers: {} }) } as unknown as DriverContext
}

test.each([
  ['the same answer', byStatus, '200 /api/whoami', '{}', true],
  ['that of nobody', byStatus, '401 /api/whoami', '', false],
  ['a refusal of another kind', byStatus, '403 /api/whoami', '', false],
  ['an error of the server', byStatus, '503 /api/whoami', '', null],
  ['the name', byName, '200 /api/whoami', '{"user":"ada"}', true],
  ['no name', byName, '200 /api/whoami', '{"user":null}', false],
  ['a refusal instead of the name', byName, '401 /api/whoami', 'ada?', false],
  ['the login page instead of the name', byName, '200 /login', 'Sign in', false],
  ['an error of the server instead of the name', byName, '502 /api/whoami', '', null],
])('%s tells whether somebody is signed in', async (_what, probe, head, text, isSignedIn) => {
  expect(await askSessionProbe(answering(head, text), probe)).toBe(isSignedIn)
})
