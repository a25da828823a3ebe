import { MAX_MESSAGES } from '../../http/index.ts'

/** What a record of a stream holds. */
type RecordContent =
  /** One message: its JSON text is the record. */
  | { readonly kind: 'message' }
  /** A live batch, as the ingest operation takes it. */
  | { readonly kind: 'batch'; readonly messages: number; readonly namesCollection: boolean }
  /** Announces a network to the reference's own services; not traffic. */
  | { readonly kind: 'control' }
  | { readonly kind: 'unreadable'; readonly reason: string }

// A byte order mark is not JSON; without this option the decoder would hide it.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Says what a record of the topic holds: a sample message (what the reference's collectors publish), a live batch, or
 * a control record. An object that names a method is a message. Messages are not judged here; the inventory does that for
 * every way in.
 */
export function recordContent(value: Uint8Array): RecordContent {
  let parsed: unknown
  try {
    parsed = JSON.parse(decoder.decode(value))
  } catch {
    return unreadable('the record is not JSON in UTF-8')
  }
  if (Array.isArray(parsed)) return batchContent(parsed, false)
  if (typeof parsed !== 'object' || parsed === null) return unreadable('the record is not a JSON object')
  if ('method' in parsed) return { kind: 'message' }
  if ('batchData' in parsed) {
    const { batchData, apiCollectionId } = parsed as { batchData: unknown; apiCollectionId?: unknown }
    if (!Array.isArray(batchData)) return unreadable('"batchData" is not a list')
    return batchContent(batchData, apiCollectionId !== undefined && apiCollectionId !== null)
  }
  if ('group_name' in parsed) return { kind: 'control' }
  return { kind: 'message' }
}

function batchContent(messages: readonly unknown[], namesCollection: boolean): RecordContent {
  if (messages.length > MAX_MESSAGES) return unreadable(`the record holds more than ${MAX_MESSAGES} messages`)
  return { kind: 'batch', messages: messages.length, namesCollection }
}

function unreadable(reason: string): RecordContent {
  return { kind: 'unreadable', reason }
}
