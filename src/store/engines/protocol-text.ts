/** What is read and written here of PostgreSQL's wire protocol (manual, 54.7: message formats). */

const READY_FOR_QUERY = 0x5a
const IDLE = 0x49
const READ_ONLY_TRANSACTION = Buffer.from('C25006\0')
const QUERY_CANCELED = Buffer.from('C57014\0')
const DISK_FULL = Buffer.from('C53100\0')

/** A message that carries out one statement. */
export function simpleQuery(text: string): Uint8Array {
  const body = Buffer.from(`${text}\0`)
  const message = Buffer.alloc(5 + body.length)
  message.write('Q', 0)
  message.writeUInt32BE(4 + body.length, 1)
  body.copy(message, 5)
  return message
}

/** Whether no transaction is open after an answer: the last byte of the closing ReadyForQuery message. */
export function isIdleAfter(answer: Uint8Array): boolean {
  const at = answer.length - 6
  return at < 0 || answer[at] !== READY_FOR_QUERY || answer[at + 5] === IDLE
}

/**
 * Says "disk full" (SQLSTATE 53100) in an answer to a statement that was refused or cancelled because the disk is; the
 * answer is changed in place.
 */
export function sayDiskFull(answer: Uint8Array): void {
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength)
  for (const code of [READ_ONLY_TRANSACTION, QUERY_CANCELED]) {
    const at = bytes.indexOf(code)
    if (at >= 0) DISK_FULL.copy(bytes, at)
  }
}
