import type { Server } from 'node:http'
import { BlockList, isIP, type Socket } from 'node:net'
import { networkOf } from '../kit/index.ts'

const SWEEP_MS = 500
/**
 * Sweeps after which a connection must have brought its first request, and after which one over the limit of its address
 * may be closed. Sweeps and not times: a busy process, which has not read yet what came, makes fewer of them.
 */
const FIRST_REQUEST_SWEEPS = 10
const GRACE_SWEEPS = 4
/** Part of all connections that strangers may hold; the rest is there for callers with a key or session. */
const STRANGERS_SHARE = 0.8

/** How many connections may be open. */
interface ConnectionRules {
  /** All together. */
  readonly total: number
  /** Of one address that has not shown a key or session on them. */
  readonly perAddress: number
  /** Addresses and ranges of proxies, which have no limit. */
  readonly proxies: readonly string[]
}

interface Connection {
  readonly socket: Socket
  /** Null for proxies. */
  readonly network: string | null
  /** Sweeps since it was opened. */
  sweeps: number
  hasAsked: boolean
  /** Requests under way. */
  running: number
}

/**
 * Keeps room for those who call. A connection is a stranger's until a request on it shows a key or session. Where
 * strangers hold too many, the oldest of theirs without a request under way is closed, among those that are most: the
 * silent ones, or those that are kept after a request. So a new connection, which is about to bring its request, always
 * finds room, and a probe keeps its connection, whatever others keep open (CWE-770).
 */
export class ConnectionLimits {
  readonly #rules: ConnectionRules
  readonly #proxies = new BlockList()
  /** In the order of their opening. */
  readonly #strangers = new Map<Socket, Connection>()
  readonly #known = new Map<Socket, Connection>()
  readonly #timer: NodeJS.Timeout

  constructor(rules: ConnectionRules) {
    this.#rules = rules
    for (const proxy of rules.proxies) {
      const [address = '', bits] = proxy.split('/')
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
      if (bits === undefined) this.#proxies.addAddress(address, family)
      else this.#proxies.addSubnet(address, Number(bits), family)
    }
    this.#timer = setInterval(() => this.#sweep(), SWEEP_MS).unref()
  }

  /** Open connections. */
  get size(): number {
    return this.#strangers.size + this.#known.size
  }

  /** Limits the connections of a server from now on. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#add(socket))
    server.on('close', () => clearInterval(this.#timer))
  }

  /** Notes that a request on this connection showed a key or session. */
  trust(socket: Socket): void {
    const connection = this.#strangers.get(socket)
    if (!connection) return
    this.#strangers.delete(socket)
    this.#known.set(socket, connection)
  }

  /**
   * Notes that a request came on this connection.
   *
   * @returns what to call once it is answered, or the client is gone
   */
  begin(socket: Socket): () => void {
    const connection = this.#strangers.get(socket) ?? this.#known.get(socket)
    if (!connection) return () => {}
    connection.hasAsked = true
    connection.running++
    return () => {
      connection.running--
    }
  }

  #add(socket: Socket): void {
    const address = socket.remoteAddress ?? ''
    this.#strangers.set(socket, {
      socket,
      network: this.#isProxy(address) ? null : networkOf(address),
      sweeps: 0,
      hasAsked: false,
      running: 0,
    })
    socket.once('close', () => {
      this.#strangers.delete(socket)
      this.#known.delete(socket)
    })
    const { total } = this.#rules
    if (this.size > total || this.#strangers.size > Math.max(1, total * STRANGERS_SHARE))
      this.#makeRoom(socket)
  }

  /** Closes the connection that is missed least; the new one when every other one has a request under way. */
  #makeRoom(fresh: Socket): void {
    const strangers = [...this.#strangers.values()].filter(({ socket }) => socket !== fresh)
    const isMostlySilent = strangers.filter(({ hasAsked }) => !hasAsked).length * 2 > strangers.length
    const known = this.size > this.#rules.total ? [...this.#known.values()] : []
    const closable = [...strangers, ...known].filter(({ running }) => running === 0)
    const missedLeast = closable.find(({ hasAsked }) => hasAsked !== isMostlySilent) ?? closable[0]
    if (missedLeast === undefined) fresh.destroy()
    else this.#close(missedLeast)
  }

  /** Closes what brought no request in time, and the oldest beyond the limit of their address, silent ones first. */
  #sweep(): void {
    const open = new Map<string, number>()
    for (const { network } of this.#strangers.values())
      if (network !== null) open.set(network, (open.get(network) ?? 0) + 1)
    const silentFirst = [...this.#strangers.values()].sort((a, b) => Number(a.hasAsked) - Number(b.hasAsked))
    for (const connection of silentFirst) {
      const { network, running, hasAsked } = connection
      const sweeps = ++connection.sweeps
      if (running > 0) continue
      const isLate = !hasAsked && sweeps > FIRST_REQUEST_SWEEPS
      const held = network === null ? 0 : (open.get(network) ?? 0)
      const isTooMuch = held > this.#rules.perAddress && sweeps > GRACE_SWEEPS
      if (!isLate && !isTooMuch) continue
      if (network !== null) open.set(network, held - 1)
      this.#close(connection)
    }
  }

  #close({ socket }: Connection): void {
    // At once, not when the client hears of it.
    this.#strangers.delete(socket)
    this.#known.delete(socket)
    socket.destroy()
  }

  #isProxy(address: string): boolean {
    const family = isIP(address)
    return family !== 0 && this.#proxies.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }
}
