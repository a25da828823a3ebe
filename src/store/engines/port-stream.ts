import { Duplex } from 'node:stream'
import type { MessagePort } from 'node:worker_threads'

/** AuthenticationOk followed by ReadyForQuery(idle): the embedded engine needs no sign-in. */
const GREETING = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0, 0x5a, 0, 0, 0, 5, 0x49])
const SYNC = 0x53
const QUERY = 0x51
const TERMINATE = 0x58

/**
 * A "socket" for the `pg` driver that ends in the embedded engine's thread. PostgreSQL's wire protocol passes
 * unchanged (frontend messages: one type byte, then a 32-bit length that counts itself), gathered into one
 * message per round trip because the engine answers only at Sync or Query.
 */
export class PortStream extends Duplex {
  readonly #port: MessagePort
  #pending: Buffer = Buffer.alloc(0)
  #isStarted = false
  #held: Buffer[] = []

  constructor(port: MessagePort) {
    super()
    this.#port = port
    port.on('message', (answer: Uint8Array) => {
      this.push(Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength))
    })
    port.on('close', () => {
      this.push(null)
      this.emit('close')
    })
  }

  /** The driver calls this as it would on a socket; the port is connected already. */
  connect(): this {
    process.nextTick(() => this.emit('connect'))
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    this.#port.ref()
    return this
  }

  unref(): this {
    this.#port.unref()
    return this
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#pending = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk])
    this.#takeMessages()
    done()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#port.close()
    done(error)
  }

  #takeMessages(): void {
    let at = 0
    if (!this.#isStarted) {
      if (this.#pending.length < 4) return
      const length = this.#pending.readUInt32BE(0)
      if (this.#pending.length < length) return
      this.#isStarted = true
      at = length
      this.push(GREETING)
    }
    while (this.#pending.length - at >= 5) {
      const length = 1 + this.#pending.readUInt32BE(at + 1)
      if (this.#pending.length - at < length) break
      const kind = this.#pending[at]!
      this.#held.push(this.#pending.subarray(at, at + length))
      at += length
      if (kind === TERMINATE) this.#port.close()
      else if (kind === SYNC || kind === QUERY) this.#send()
    }
    this.#pending = this.#pending.subarray(at)
  }

  #send(): void {
    // A copy of exactly these bytes: buffers of the driver are pooled and must not be given away.
    const bytes = new Uint8Array(Buffer.concat(this.#held))
    this.#held = []
    this.#port.postMessage(bytes, [bytes.buffer])
  }
}
