import { Failure } from '../../kit/index.ts'

/** Messages of one live batch. */
const MAX_MESSAGES = 20_000

const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * The messages of a live batch: `{"batchData":[…]}`, an array, or one message by itself.
 *
 * @throws Failure INVALID_JSON_BODY, REQUIRED_FIELD, TOO_MANY_MESSAGES
 */
export function readBatch(bytes: Uint8Array): unknown[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(decoder.decode(bytes))
  } catch (error) {
    throw new Failure('INVALID_JSON_BODY', {}, { cause: error })
  }
  const messages = messagesOf(parsed)
  if (messages.length > MAX_MESSAGES) throw new Failure('TOO_MANY_MESSAGES', { limit: MAX_MESSAGES })
  return messages
}

function messagesOf(parsed: unknown): unknown[] {
  if (Array.isArray(parsed)) return parsed
  if (typeof parsed !== 'object' || parsed === null) throw new Failure('INVALID_JSON_BODY', {})
  const { batchData } = parsed as { batchData?: unknown }
  if (Array.isArray(batchData)) return batchData
  if (batchData === undefined && 'method' in parsed) return [parsed]
  throw new Failure('REQUIRED_FIELD', { field: 'batchData' })
}
