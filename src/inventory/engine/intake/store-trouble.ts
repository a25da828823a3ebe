import { Failure, nowSeconds } from '../../../kit/index.ts'
import { isRetryable } from '../../../store/index.ts'
import type { EngineFigures } from '../port.ts'
import { RepeatedMessages } from './committed-messages.ts'

const RETRY_AFTER_SECONDS = 2
/** SQLSTATE of a disk without space. */
const DISK_FULL = '53100'
/** A store that has refused nothing for so long counts as mended: nobody may be sending. */
const REFUSAL_SECONDS = 20

/** Trouble with the store is no fault of the sender: it may come back with the same messages. */
export function storeFailure(error: unknown): unknown {
  if (error instanceof Failure) return error
  if (error instanceof RepeatedMessages)
    return new Failure('OVERLOADED', { retryAfterSeconds: RETRY_AFTER_SECONDS }, { cause: error })
  const { code } = error as { code?: string }
  if (code === DISK_FULL) return new Failure('STORE_FULL', {}, { cause: error })
  return isRetryable(code)
    ? new Failure('OVERLOADED', { retryAfterSeconds: RETRY_AFTER_SECONDS }, { cause: error })
    : error
}

/** Whether the store took the last messages, as far as anybody sent some lately. */
export class StoreRefusal {
  #last: { readonly code: EngineFigures['refusal']; readonly at: number } | null = null

  /** Notes why messages were not committed. */
  note(failure: unknown): void {
    const code = failure instanceof Failure ? failure.code : null
    // Others are about the messages.
    if (code !== null && code !== 'STORE_FULL' && code !== 'OVERLOADED') return
    this.#last = { code: code === 'STORE_FULL' ? code : 'STORE_UNAVAILABLE', at: nowSeconds() }
  }

  /** Messages were committed. */
  clear(): void {
    this.#last = null
  }

  get code(): EngineFigures['refusal'] {
    return this.#last !== null && nowSeconds() - this.#last.at < REFUSAL_SECONDS ? this.#last.code : null
  }
}
