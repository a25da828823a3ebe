import { createHash, timingSafeEqual } from 'node:crypto'
import { Failure, type Settings } from '../kit/index.ts'
import type { Access } from './access.ts'
import { needsFirstUser } from './users.ts'

/** Crockford's base 32: no letters that look like digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 16

/**
 * The code that the first sign-up needs, 80 bits as `ABCD-EFGH-JKMN-PQRS`; null when it needs none: somebody signed up
 * already, or only this machine reaches the server. It follows from the instance key, so every process on a store and
 * every start has the same.
 */
export async function setupCode(access: Access): Promise<string | null> {
  if (isForThisMachine(access.settings) || !(await needsFirstUser(access.store.pool))) return null
  return codeOf(access)
}

/**
 * Refuses the first sign-up without the code.
 *
 * @throws Failure SETUP_CODE_REQUIRED, WRONG_SETUP_CODE
 */
export function checkSetupCode(access: Access, given: string): void {
  if (isForThisMachine(access.settings)) return
  if (given.trim() === '') throw new Failure('SETUP_CODE_REQUIRED')
  const [one, other] = [given, codeOf(access)].map((code) =>
    createHash('sha256')
      .update(code.toUpperCase().replace(/[^0-9A-Z]/g, ''))
      .digest(),
  )
  if (!timingSafeEqual(one!, other!)) throw new Failure('WRONG_SETUP_CODE')
}

/** True for the names and addresses of this machine itself, IPv6 with or without brackets. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '').toLowerCase()
  return name === 'localhost' || name === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(name)
}

/** A proxy that publishes the listener of this machine is named by the base URL. */
function isForThisMachine({ host, baseUrl }: Settings): boolean {
  return isLoopbackHost(host) && (baseUrl === null || isLoopbackHost(new URL(baseUrl).hostname))
}

function codeOf(access: Access): string {
  const bytes = access.sealer.deriveKey('setup-code').subarray(0, LENGTH)
  const letters = Array.from(bytes, (byte) => ALPHABET[byte % ALPHABET.length]).join('')
  return letters.replace(/(.{4})(?=.)/g, '$1-')
}
