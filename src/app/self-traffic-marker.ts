import type { Sealer } from '../kit/index.ts'

/**
 * What requests of our own tests carry, so that they are not threats when a mirror hands them back. Known to this
 * installation and to the targets it tests: a mark that anybody could write would hide attacks.
 */
export function ownMark(sealer: Sealer): string {
  return Buffer.from(sealer.deriveKey('own-traffic')).toString('hex').slice(0, 32)
}
