import { Failure } from '../../kit/index.ts'
import type { RequestChangeRow } from '../../store/index.ts'
import { PLAIN_HEADER } from './mask-credential.ts'
import { maskText } from './mask-secrets.ts'

type Changes = readonly RequestChangeRow[]

const SECRET_NAME = /pass|pwd|secret|token|auth|session|pin|key/i
const MASKED = /\*\*\*$/

/** Changes to every request of a run as people read them: what may be a credential is masked. */
export function maskRequestChanges(changes: Changes): RequestChangeRow[] {
  return withValues(changes, (value) => maskText(value))
}

/** What may be a credential in the changes to every request of a run. */
export function secretsOfChanges(changes: Changes): string[] {
  const secrets: string[] = []
  withValues(changes, (value) => {
    secrets.push(value)
    return value
  })
  return secrets
}

/**
 * The same changes with the stored value behind every mask that was sent back, of the same operation and name.
 *
 * @throws Failure AUTH_VALUE_MASKED for a mask without a stored value
 */
export function unmaskRequestChanges(sent: Changes, stored: Changes): RequestChangeRow[] {
  const known = new Map<string, string>()
  withValues(stored, (value, place) => {
    known.set(place, value)
    return value
  })
  return withValues(sent, (value, place) => {
    if (!MASKED.test(value)) return value
    const before = known.get(place)
    if (before === undefined || maskText(before) !== value) throw new Failure('AUTH_VALUE_MASKED', {})
    return before
  })
}

function withValues(changes: Changes, change: (value: string, place: string) => string): RequestChangeRow[] {
  return changes.map((one) => {
    const operator = one.operatorType.trim().toUpperCase()
    const operationsGroupList = one.operationsGroupList.map((entry) => {
      const { key, value } = entry
      const mayBeSecret = operator.endsWith('_HEADER')
        ? !PLAIN_HEADER.test(key.trim())
        : SECRET_NAME.test(key)
      if (!value || !mayBeSecret) return entry
      return { ...entry, value: change(value, `${operator} ${key.trim().toLowerCase()}`) }
    })
    return { ...one, operationsGroupList }
  })
}
