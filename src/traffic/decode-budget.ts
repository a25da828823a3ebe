import type { RawMessage, RequestMessage, ResponseMessage } from '../http/index.ts'
import { headerValue } from '../http/index.ts'
import { MAX_BODY } from './import-entry.ts'

/** Most bytes that compressed bodies of one file may decode to, all together. */
const MAX_DECODED_BYTES = 536_870_912

/**
 * Bounds what decompressing the bodies of one file may cost: each body alone by {@link MAX_BODY}, all together by
 * their sum, so that many small bombs do not add up (CWE-409).
 */
export class DecodeBudget {
  #left = MAX_DECODED_BYTES

  /** Parses one message with what is left, and takes from it what the message's body cost. */
  spend<M extends RequestMessage | ResponseMessage>(
    parse: (maxBodyBytes: number) => RawMessage<M>,
  ): RawMessage<M> {
    const limit = Math.min(MAX_BODY, this.#left)
    const read = parse(limit)
    if (headerValue(read.message.headers, 'content-encoding') !== undefined) {
      const wasRefused = read.notes.some((note) => note.includes('decodes to over'))
      this.#left = Math.max(1, this.#left - (wasRefused ? limit : read.message.body.length))
    }
    return read
  }
}
