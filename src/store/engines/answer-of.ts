import type { PGlite } from '@electric-sql/pglite'

/**
 * Carries out messages of the wire protocol and returns a copy of the raw answer. Not with the engine's
 * `execProtocolRaw`: it parses every answer as well and keeps all parsed rows permanently.
 */
export async function answerOf(database: PGlite, message: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  // Pieces are views of the engine's memory.
  await database.execProtocolRawStream(message, { onRawData: (piece) => void pieces.push(piece.slice()) })
  const answer = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    answer.set(piece, at)
    at += piece.length
  }
  return answer
}
