import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A way to a server on this machine that can be cut. */
export interface CuttableProxy {
  readonly port: number
  /** Resets every connection and refuses new ones, as a server that went down. */
  cut(): Promise<void>
  /** Takes connections and bytes from now on and passes nothing on, as a network that lost the server. */
  silence(): void
  /** Passes nothing on until {@link CuttableProxy.restore}, which delivers what waited: a network that fails for a while. */
  hold(): void
  /** Passes everything on in order, later by the given milliseconds: a slow network or server. */
  delay(ms: number): void
  /** Listens again after a cut; passes on what waited since a hold. */
  restore(): Promise<void>
  /** New connections lead to another port of this machine. */
  lead(port: number): void
  close(): Promise<void>
}

/** Listens on a port, a free one unless given, and passes bytes on to `port`. */
export async function startProxy(port: number, listenOn = 0): Promise<CuttableProxy> {
  const proxy = new PassingProxy(port)
  await proxy.listen(listenOn)
  return proxy
}

class PassingProxy implements CuttableProxy {
  readonly #sockets = new Set<Socket>()
  /** What is due when a hold ends. */
  #waiting: (() => void)[] = []
  #isHeld = false
  #isSilent = false
  #delayMs = 0
  #leadsTo: number
  #server: Server | null = null
  #port = 0

  constructor(port: number) {
    this.#leadsTo = port
  }

  get port(): number {
    return this.#port
  }

  async listen(port: number): Promise<void> {
    const server = createServer({ pauseOnConnect: true }, (near) => {
      this.#sockets.add(near)
      near.once('close', () => this.#sockets.delete(near))
      near.on('error', () => {}) // its close follows
      this.#whenPassing(() => this.#join(near))
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
    this.#server = server
    this.#port = (server.address() as AddressInfo).port
  }

  async cut(): Promise<void> {
    const server = this.#server
    this.#server = null
    this.#isHeld = false
    this.#waiting = []
    if (server === null) return
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of this.#sockets) socket.resetAndDestroy()
    await closed
  }

  silence(): void {
    this.#isSilent = true
  }

  hold(): void {
    this.#isHeld = true
    for (const socket of this.#sockets) socket.pause()
  }

  delay(ms: number): void {
    this.#delayMs = ms
  }

  async restore(): Promise<void> {
    this.#isHeld = false
    const waiting = this.#waiting
    this.#waiting = []
    for (const socket of this.#sockets) socket.resume()
    for (const act of waiting) act()
    if (this.#server === null) await this.listen(this.#port)
  }

  lead(port: number): void {
    this.#leadsTo = port
  }

  close(): Promise<void> {
    return this.cut()
  }

  #whenPassing(act: () => void): void {
    if (this.#isHeld) this.#waiting.push(act)
    else act()
  }

  #join(near: Socket): void {
    if (near.destroyed) return
    const far = connect(this.#leadsTo, '127.0.0.1')
    this.#sockets.add(far)
    far.once('close', () => this.#sockets.delete(far))
    this.#pass(near, far)
    this.#pass(far, near)
    near.resume()
  }

  #pass(from: Socket, to: Socket): void {
    const queue: (() => void)[] = []
    const inTurn = (act: () => void): void => {
      if (this.#delayMs === 0 && queue.length === 0) act()
      else {
        queue.push(act)
        setTimeout(() => queue.shift()!(), this.#delayMs)
      }
    }
    from.on('data', (bytes) => {
      if (!this.#isSilent) inTurn(() => to.write(bytes))
    })
    from.once('close', () => {
      if (!this.#isSilent) inTurn(() => this.#whenPassing(() => to.destroySoon()))
    })
    from.on('error', () => {}) // its close follows
  }
}
