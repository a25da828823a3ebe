import { MAX_BATCH_BYTES, MAX_BATCH_RECORDS } from './port.ts'

/** Bytes and records that wait to be taken; then nothing more is fetched. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024
const MAX_WAITING_RECORDS = MAX_BATCH_RECORDS * 4
/** What the objects of a record cost beside its contents. */
const RECORD_BYTES = 200

/** What a record holds. */
interface Sized {
  readonly key: Buffer | null | undefined
  readonly value: Buffer | null | undefined
  readonly headers: ReadonlyMap<Buffer, Buffer>
}

/** Records that were fetched and are not taken yet, in their order. */
export class WaitingRecords<Item extends Sized> {
  #items: Item[] = []
  #bytes = 0

  get isFull(): boolean {
    return this.#bytes > MAX_WAITING_BYTES || this.#items.length >= MAX_WAITING_RECORDS
  }

  add(item: Item): void {
    this.#items.push(item)
    this.#bytes += bytesOf(item)
  }

  /** The records of the next batch; none when none wait. */
  take(): Item[] {
    let bytes = 0
    let count = 0
    while (count < this.#items.length && count < MAX_BATCH_RECORDS && bytes < MAX_BATCH_BYTES)
      bytes += bytesOf(this.#items[count++]!)
    this.#bytes -= bytes
    return this.#items.splice(0, count)
  }

  clear(): void {
    this.#items = []
    this.#bytes = 0
  }
}

function bytesOf({ key, value, headers }: Sized): number {
  let bytes = RECORD_BYTES + (key?.byteLength ?? 0) + (value?.byteLength ?? 0)
  for (const [name, content] of headers) bytes += name.byteLength + content.byteLength
  return bytes
}
