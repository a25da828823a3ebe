import type { ChildProcess } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type CuttableProxy, startProxy } from '../../cuttable-proxy.ts'
import { freePort } from '../../server-process.ts'
import { environmentWithoutSettings, startProgram } from '../../start-program.ts'
import { START_MS } from './surroundings.ts'

export const KEY = 'schedulesschedulesschedulesschedulessche'
const MOVABLE_CLOCK = new URL('movable-clock.ts', import.meta.url).href
const PROGRAM = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url))
const RESTART_PAUSE_MS = 500
const END_PATIENCE_MS = 30_000

/** What a process is given. */
export interface ProcessPlace {
  readonly name: string
  readonly roles: string
  /** For its log. */
  readonly folder: string
  readonly dataDir: string
  /** Flags beside those of the place itself. */
  readonly flags: readonly string[]
  /** Port of the PostgreSQL server and of the broker; null where there is none. */
  readonly databasePort: number | null
  readonly broker: { readonly kind: 'nats' | 'kafka'; readonly port: number; readonly topic: string } | null
}

/**
 * One process of Vigil, whose ways to clients, database and broker can be cut, and which is started again when it ends
 * by itself, as a service manager does.
 */
export class VigilProcess {
  readonly place: ProcessPlace
  readonly port: number
  readonly clients: CuttableProxy
  readonly database: CuttableProxy | null
  readonly broker: CuttableProxy | null
  /** Ends that nobody asked for, with the last words. */
  readonly unexpectedEnds: string[] = []
  readonly dataDir: string
  /** A module that is loaded into it before the program, and what that is given. */
  preload: { readonly module: string; readonly env: NodeJS.ProcessEnv } | null = null
  #child: ChildProcess | null = null
  /** Whether it should run; an end meanwhile is an unexpected one. */
  #isWanted = false
  #wasReady = false

  static async at(place: ProcessPlace): Promise<VigilProcess> {
    const port = await freePort()
    const ways = [port, place.databasePort, place.broker?.port ?? null].map((to) =>
      to === null ? null : startProxy(to),
    )
    const [clients, database, broker] = await Promise.all(ways)
    return new VigilProcess(place, port, { clients: clients!, database: database!, broker: broker! })
  }

  private constructor(
    place: ProcessPlace,
    port: number,
    ways: { clients: CuttableProxy; database: CuttableProxy | null; broker: CuttableProxy | null },
  ) {
    this.place = place
    this.port = port
    this.clients = ways.clients
    this.database = ways.database
    this.broker = ways.broker
    this.dataDir = place.dataDir
  }

  get name(): string {
    return this.place.name
  }

  get takesTraffic(): boolean {
    return this.place.roles.includes('ingest')
  }

  get pid(): number {
    return this.#child!.pid!
  }

  /** Starts it, again and again while it cannot open its store, until it answers. */
  async start(): Promise<void> {
    this.#isWanted = true
    this.#wasReady = false
    this.#launch()
    const deadline = performance.now() + START_MS
    while (!(await this.answers())) {
      if (performance.now() > deadline)
        throw new Error(`${this.name} did not answer within ${START_MS / 1000} s: ${this.lastWords()}`)
      await sleep(50)
    }
    this.#wasReady = true
  }

  /** Whether it is there and every part of it is well. */
  async isHealthy(): Promise<boolean> {
    return (await this.#health())?.ok === true
  }

  async answers(): Promise<boolean> {
    return (await this.#health()) !== null
  }

  async #health(): Promise<Response | null> {
    const signal = AbortSignal.timeout(5000)
    return fetch(`http://127.0.0.1:${this.port}/health`, { signal }).catch(() => null)
  }

  async kill(): Promise<void> {
    this.#isWanted = false
    await this.#endBy('SIGKILL')
  }

  /** Ends it in order, and by force when it takes too long. @returns whether it ended in order */
  async end(): Promise<boolean> {
    this.#isWanted = false
    const late = setTimeout(() => this.#child?.kill('SIGKILL'), END_PATIENCE_MS)
    await this.#endBy('SIGTERM')
    clearTimeout(late)
    return this.#child?.signalCode !== 'SIGKILL'
  }

  pause(): void {
    this.#child?.kill('SIGSTOP')
  }

  resume(): void {
    this.#child?.kill('SIGCONT')
  }

  /** Moves its clock by the given milliseconds from now on. */
  moveClock(byMs: number): void {
    writeFileSync(this.#clockFile, String(byMs))
  }

  /** Ends it for good. */
  async stop(): Promise<void> {
    this.resume()
    await this.kill()
    for (const way of [this.clients, this.database, this.broker]) await way?.close()
  }

  /** The end of what it logged. */
  lastWords(): string {
    return existsSync(this.#logFile) ? readFileSync(this.#logFile, 'utf8').slice(-1500) : 'it logged nothing'
  }

  get #logFile(): string {
    return join(this.place.folder, `${this.name}.log`)
  }

  get #clockFile(): string {
    return join(this.place.folder, `${this.name}.clock`)
  }

  async #endBy(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await ended
  }

  #launch(): void {
    const { place, preload } = this
    const modules = [MOVABLE_CLOCK, ...(preload === null ? [] : [preload.module])]
    const child = startProgram(PROGRAM, ['start', ...place.flags, ...this.#wayFlags()], {
      env: {
        ...environmentWithoutSettings(),
        ...preload?.env,
        NODE_OPTIONS: modules.map((module) => `--import ${module}`).join(' '),
        MOVED_CLOCK: this.#clockFile,
        VIGIL_API_KEY: KEY,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (data: Buffer) => appendFileSync(this.#logFile, data))
    child.once('exit', (code, signal) => void this.#noteEnd(child, code ?? signal))
  }

  #wayFlags(): string[] {
    const { place, database, broker } = this
    const flags = ['--port', String(this.port), '--data-dir', this.dataDir, '--roles', place.roles]
    if (database !== null)
      flags.push('--database-url', `postgres://postgres@127.0.0.1:${database.port}/vigil`)
    if (place.broker !== null) {
      // A Kafka broker tells its clients its own address, so the way to it cannot be cut for one process.
      const port = place.broker.kind === 'kafka' ? place.broker.port : broker!.port
      flags.push('--stream-url', `${place.broker.kind}://127.0.0.1:${port}`)
      flags.push('--stream-topic', place.broker.topic)
    }
    return flags
  }

  async #noteEnd(child: ChildProcess, how: number | string | null): Promise<void> {
    if (!this.#isWanted || child !== this.#child) return
    // Without a database it cannot start, and says so; one that runs waits for it.
    if (this.#wasReady) this.unexpectedEnds.push(`${this.name} ended with ${how}: ${this.lastWords()}`)
    this.#wasReady = false
    await sleep(RESTART_PAUSE_MS)
    if (this.#isWanted && child === this.#child) this.#launch()
  }
}
