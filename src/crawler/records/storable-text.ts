import { createHash } from 'node:crypto'

/** A text from outside as the store takes it: without NUL, well formed, and not longer than given. */
export function storableText(text: string, most: number): string {
  const cut = text.length > most ? text.slice(0, most) : text
  return cut.replaceAll('\0', ' ').toWellFormed()
}

/** The same for a text that may be missing. */
export function storableOrNull(text: string | null | undefined, most: number): string | null {
  return text === null || text === undefined ? null : storableText(text, most)
}

/** Digest (SHA-256) of texts, for unique keys of texts that are too long for an index. */
export function digestOf(...parts: readonly string[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(`${part.length}:`).update(part)
  return hash.digest()
}
