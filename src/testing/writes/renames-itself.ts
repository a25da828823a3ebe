import type { RequestDraft } from '../attempts/index.ts'
import { isScalar, readTree, scalarText } from '../attempts/json-tree.ts'
import { innerOf } from './object-state.ts'

/** Names of identifiers, which applications give themselves: they do not rename anything. */
const IDENTIFIER = /id$/i

/**
 * The field by which a change would give an object another address: the recorded request names the object by it as the
 * last part of its path does, and the draft names it otherwise. Afterwards nothing is at the old address to be restored.
 * Null where the address stays.
 */
export function renamingField(draft: RequestDraft, start: RequestDraft): string | null {
  const last = lastSegment(draft.url)
  const [sent, recorded] = [readTree(draft.body.text), innerOf(readTree(start.body.text))]
  if (last === '' || !(sent instanceof Map)) return null
  const fields = innerOf(sent)
  for (const [key, old] of recorded ?? []) {
    if (IDENTIFIER.test(key) || !isScalar(old) || scalarText(old) !== last) continue
    const value = fields?.get(key) ?? sent.get(key)
    if (value !== undefined && (!isScalar(value) || scalarText(value) !== last)) return key
  }
  return null
}

function lastSegment(url: string): string {
  const segment =
    url
      .replace(/[?#].*$/s, '')
      .replace(/\/$/, '')
      .split('/')
      .at(-1) ?? ''
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
