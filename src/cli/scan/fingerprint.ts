import { createHash } from 'node:crypto'

/** What a cause is known by in every scan. */
interface CauseMark {
  readonly scope: string
  readonly family: string
  readonly place: string
  readonly method: string
  readonly path: string
}

const LENGTH = 32

/**
 * A text that stays the same over scans and hosts: made of what the cause is and where it is in the API, never of hosts,
 * times or identifiers of a store.
 */
export function causeFingerprint({ scope, family, place, method, path }: CauseMark): string {
  const isWide = scope === 'host' || scope === 'collection'
  const parts = [scope, family, scope === 'host' ? '' : place, isWide ? '' : method, isWide ? '' : path]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, LENGTH)
}
