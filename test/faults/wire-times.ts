import { type ChildProcess, spawn, spawnSync } from 'node:child_process'

/** First four bytes of what is captured, in TCP segments: "POST" and "HTTP". */
const HEADS = [0x504f5354, 0x48545450].map((bytes) => `tcp[((tcp[12:1] & 0xf0) >> 2):4] = ${bytes}`)
/** Link, address and transport headers, and the first line. */
const CAPTURED_BYTES = 160
const BUFFER_KIB = 32_768
const PACKET = /^(\d+\.\d+) IP (\S+) > (\S+): /
const REQUEST_LINE = /POST (\S+) HTTP\/1\.1/
const STATUS_LINE = /HTTP\/1\.1 (\d{3})/

/** What passed between clients and a server. */
export interface WireTimes {
  /** Milliseconds from the head of a request to that of its answer, by status. */
  readonly byStatus: Record<string, number[]>
  /** Requests whose answer was not seen: cut, or not at the start of a segment. */
  readonly unpaired: number
}

/**
 * Takes the times of requests to one path from the packets on the loopback interface, by the clock of the kernel. They
 * hold all of the server's share, also what a request waits in the socket before the server reads it, and nothing of the
 * client's: neither how long it waits for a processor nor its event loop.
 */
export class WireWatch {
  readonly #program: ChildProcess
  readonly #path: string
  #text = ''

  private constructor(program: ChildProcess, path: string) {
    this.#program = program
    this.#path = path
    program.stdout!.setEncoding('latin1').on('data', (text: string) => {
      this.#text += text
    })
  }

  /** Null where tcpdump is missing, or this user may not capture. */
  static async start(port: number, path: string): Promise<WireWatch | null> {
    if (spawnSync('tcpdump', ['--version']).error !== undefined) return null
    const filter = `tcp port ${port} and (${HEADS.join(' or ')})`
    const options = ['-i', 'lo', '-n', '-tt', '-A', '-s', String(CAPTURED_BYTES), '-B', String(BUFFER_KIB)]
    const program = spawn('tcpdump', [...options, filter], { stdio: ['ignore', 'pipe', 'pipe'] })
    const watch = new WireWatch(program, path)
    const isListening = await new Promise<boolean>((resolve) => {
      program.stderr!.on('data', (text: Buffer) => {
        if (text.includes('listening on')) resolve(true)
      })
      program.on('close', () => resolve(false))
    })
    return isListening ? watch : null
  }

  /** Ends the capture. */
  async stop(): Promise<WireTimes> {
    const closed = new Promise<number | null>((resolve) => this.#program.once('close', resolve))
    let said = ''
    this.#program.stderr!.on('data', (text: Buffer) => {
      said += text.toString()
    })
    this.#program.kill('SIGINT')
    await closed
    const dropped = Number(/(\d+) packets dropped by kernel/.exec(said)?.[1] ?? Number.NaN)
    if (dropped !== 0) throw new Error(`the capture is not whole: ${said}`)
    return timesIn(this.#text, this.#path)
  }
}

function timesIn(text: string, path: string): WireTimes {
  const asked = new Map<string, number>()
  const byStatus: Record<string, number[]> = {}
  let packet: RegExpExecArray | null = null
  let unpaired = 0
  for (const line of text.split('\n')) {
    packet = PACKET.exec(line) ?? packet
    if (packet === null) continue
    const [, at, from, to] = packet
    const requested = REQUEST_LINE.exec(line)?.[1]
    const status = STATUS_LINE.exec(requested === undefined ? line : '')?.[1]
    if (requested === path) {
      if (asked.has(from!)) unpaired++
      asked.set(from!, Number(at))
    }
    const began = status === undefined ? undefined : asked.get(to!)
    if (began === undefined) continue
    asked.delete(to!)
    byStatus[status!] ??= []
    byStatus[status!]!.push(Math.round((Number(at) - began) * 1000))
  }
  return { byStatus, unpaired: unpaired + asked.size }
}
