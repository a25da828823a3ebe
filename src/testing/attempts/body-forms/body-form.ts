import type { JsonTree } from '../json-tree.ts'

/** A kind of body that is edited as JSON and sent in its own form. Bodies are one character a byte (Latin-1). */
export interface BodyForm {
  /** The JSON form of a recorded body; null when it is malformed. */
  read(body: string, contentType: string): JsonTree | null
  /** The body to send: what the edited tree leaves unchanged stays as recorded, to the byte. */
  write(body: string, contentType: string, edited: Map<string, JsonTree>): string
}

/** Latin-1 characters of a text's UTF-8 bytes. */
export function bytesText(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

/** The text whose UTF-8 bytes are these Latin-1 characters. */
export function plainText(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
