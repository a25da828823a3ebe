import { Failure } from '../kit/index.ts'

/** Messages of one live batch. */
export const MAX_MESSAGES = 10_000

/** Ids are 32-bit integers. */
const MAX_ID = 2 ** 31 - 1

const decoder = new TextDecoder('utf-8', { fatal: true })

/** A live batch; without `collectionId` each message goes by its host. */
interface LiveBatch {
  messages: unknown[]
  collectionId: number | null
}

/**
 * Reads a live batch: `{"batchData":[…], "apiCollectionId":…}`, an array of messages, or one message on its own.
 *
 * @throws Failure INVALID_JSON_BODY, FIELD_REQUIRED, INVALID_FIELD, TOO_MANY_MESSAGES
 */
export function readLiveBatch(bytes: Uint8Array): LiveBatch {
  let parsed: unknown
  try {
    parsed = JSON.parse(decoder.decode(bytes))
  } catch (error) {
    throw new Failure('INVALID_JSON_BODY', {}, { cause: error })
  }
  const batch = batchOf(parsed)
  if (batch.messages.length > MAX_MESSAGES) throw new Failure('TOO_MANY_MESSAGES', { limit: MAX_MESSAGES })
  return batch
}

function batchOf(parsed: unknown): LiveBatch {
  if (Array.isArray(parsed)) return { messages: parsed, collectionId: null }
  if (typeof parsed !== 'object' || parsed === null) throw new Failure('INVALID_JSON_BODY', {})
  const { batchData, apiCollectionId } = parsed as { batchData?: unknown; apiCollectionId?: unknown }
  const isMessage = 'method' in parsed || ('request' in parsed && 'response' in parsed)
  if (batchData === undefined && isMessage) return { messages: [parsed], collectionId: null }
  if (batchData === undefined || batchData === null)
    throw new Failure('FIELD_REQUIRED', { field: 'batchData' })
  if (!Array.isArray(batchData)) throw new Failure('INVALID_FIELD', { field: 'batchData' })
  return { messages: batchData, collectionId: collectionIdOf(apiCollectionId) }
}

function collectionIdOf(value: unknown): number | null {
  if (value === undefined || value === null) return null
  const id = typeof value === 'string' && value !== '' ? Number(value) : value
  if (typeof id === 'number' && Number.isInteger(id) && id <= MAX_ID && id >= -MAX_ID - 1) return id
  throw new Failure('INVALID_FIELD', { field: 'apiCollectionId' })
}
