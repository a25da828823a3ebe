import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, chownSync, createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findPrograms, unprivileged } from '../../../scripts/postgres.ts'
import { freePort } from '../../server-process.ts'
import { until } from '../../until.ts'
import { isThere, processTree, signalAll } from './processes.ts'
import { START_MS } from './surroundings.ts'

/** Tests kill processes, never the machine: what the system has taken over is safe from that. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  max_connections: '200',
  fsync: 'off',
  hot_standby: 'on',
  wal_level: 'replica',
  max_wal_senders: '6',
  wal_keep_size: '256MB',
  min_wal_size: '64MB',
  max_wal_size: '256MB',
  // A standby that lost its primary looks again soon: commits wait for it.
  wal_retrieve_retry_interval: '200ms',
}

interface PairOptions {
  readonly settings?: Readonly<Record<string, string>>
  readonly hasStandby?: boolean
  /** Whether commits wait for the standby. */
  readonly isSynchronous?: boolean
  /** Where its data is; a temporary folder unless given. */
  readonly dataParent?: string
}

interface Server {
  readonly name: string
  readonly folder: string
  readonly port: number
  child: ChildProcess | null
}

/**
 * A PostgreSQL server with a standby, a synchronous one unless said otherwise: a commit is answered when both have it.
 * It ends with this process.
 */
export class PostgresPair {
  readonly #programs: string
  readonly #folder: string
  readonly #data: string
  #primary: Server
  #standby: Server | null = null
  #made = 0

  /**
   * Null where the machine has no server programs.
   *
   * @param settings of the server that differ from those of the tests
   */
  static async start({
    settings = {},
    hasStandby = true,
    isSynchronous = true,
    dataParent = tmpdir(),
  }: PairOptions = {}): Promise<PostgresPair | null> {
    const programs = findPrograms()
    if (programs === null) return null
    // Sockets and logs are not with the data, whose disk may be full.
    const folders = [tmpdir(), dataParent].map((parent) => mkdtempSync(join(parent, 'vigil-postgres-pair-')))
    const account = unprivileged()
    if (account) for (const folder of folders) chownSync(folder, account.uid, account.gid)
    const pair = new PostgresPair(programs, folders[0]!, folders[1]!, await freePort())
    pair.#run('initdb', ['-D', pair.#primary.folder, '-U', 'postgres', '-A', 'trust', '--no-sync'])
    const lines = Object.entries({ ...SETTINGS, ...settings }).map(
      ([name, value]) => `${name} = '${value}'\n`,
    )
    appendFileSync(join(pair.#primary.folder, 'postgresql.conf'), lines.join(''))
    await pair.#launch(pair.#primary)
    if (hasStandby) await pair.addStandby(isSynchronous)
    return pair
  }

  private constructor(programs: string, folder: string, data: string, port: number) {
    this.#programs = programs
    this.#folder = folder
    this.#data = data
    this.#primary = { name: 'data-0', folder: join(data, 'data-0'), port, child: null }
  }

  /** Port of the server that takes writes. */
  get port(): number {
    return this.#primary.port
  }

  /** Port of the server that follows it. */
  get standbyPort(): number {
    return this.#standby!.port
  }

  /** Copies the primary to a new standby and waits until it follows, and commits wait for it. */
  async addStandby(isSynchronous = true): Promise<void> {
    const name = `data-${++this.#made}`
    const server = { name, folder: join(this.#data, name), port: await freePort(), child: null }
    const from = ['-h', '127.0.0.1', '-p', String(this.port), '-U', 'postgres', '-c', 'fast', '--no-sync']
    await this.#copy([...from, '-D', server.folder, '-R', '-X', 'stream'])
    await this.#launch(server)
    this.#standby = server
    await until(
      'the standby receives what is written',
      async () =>
        (await this.query(`SELECT 1 FROM pg_stat_replication WHERE state = 'streaming'`)).length === 1,
      { ms: START_MS },
    )
    if (!isSynchronous) return
    await this.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`)
    await this.query('SELECT pg_reload_conf()')
    await until(
      'the standby is synchronous',
      async () =>
        (await this.query(`SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'`)).length === 1,
      { ms: START_MS },
    )
  }

  get hasStandby(): boolean {
    return this.#standby !== null
  }

  /** Every process of the primary. */
  primaryPids(): number[] {
    return processTree(this.#primary.child!.pid!)
  }

  /** Kills every process of the standby. */
  async loseStandby(): Promise<void> {
    await killTree(this.#standby!)
  }

  /** Kills every process of the primary. */
  async crash(): Promise<void> {
    await killTree(this.#primary)
  }

  /** Starts the primary again after a crash; it replays its log first. */
  async revive(): Promise<void> {
    await this.#launch(this.#primary)
  }

  /** Starts each server again that ended. */
  async reviveEnded(): Promise<void> {
    for (const server of [this.#primary, this.#standby])
      if (server !== null && hasEnded(server.child)) await this.#launch(server)
  }

  pause(): void {
    signalAll(processTree(this.#primary.child!.pid!), 'SIGSTOP')
  }

  resume(): void {
    signalAll(processTree(this.#primary.child!.pid!), 'SIGCONT')
  }

  /** Kills the primary for good and promotes its standby; commits wait for nobody until there is another one. */
  async failOver(): Promise<void> {
    const standby = this.#standby
    if (standby === null) throw new Error('there is no standby')
    const lost = this.#primary
    await killTree(lost)
    this.#primary = standby
    this.#standby = null
    await this.query('SELECT pg_promote(true, 60)')
    await this.query('ALTER SYSTEM RESET synchronous_standby_names')
    await this.query('SELECT pg_reload_conf()')
    rmSync(lost.folder, { recursive: true, force: true })
  }

  /** Asks the primary, or the server at another port, over a separate connection. */
  async query<Row extends pg.QueryResultRow>(
    statement: string,
    database = 'postgres',
    port = this.port,
  ): Promise<Row[]> {
    const client = new pg.Client(`postgres://postgres@127.0.0.1:${port}/${database}`)
    client.on('error', () => {}) // the statement under way rejects
    await client.connect()
    try {
      return (await client.query<Row>(statement)).rows
    } finally {
      await client.end()
    }
  }

  async stop(): Promise<void> {
    for (const server of [this.#standby, this.#primary]) if (server !== null) await killTree(server)
    for (const folder of [this.#folder, this.#data]) rmSync(folder, { recursive: true, force: true })
  }

  #run(program: string, args: readonly string[]): void {
    const account = unprivileged() ?? {}
    const done = spawnSync(join(this.#programs, program), args, { ...account, cwd: this.#folder })
    if (done.status !== 0) throw new Error(`${program} failed: ${done.stderr.toString()}`)
  }

  /** Beside what goes on: senders must not wait for it. */
  async #copy(args: readonly string[]): Promise<void> {
    const options = { ...(unprivileged() ?? {}), cwd: this.#folder, stdio: 'ignore' } as const
    const child = spawn(join(this.#programs, 'pg_basebackup'), args, options)
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`pg_basebackup ended with ${code}`)
  }

  async #launch(server: Server): Promise<void> {
    const program = join(this.#programs, 'postgres')
    const where = ['-D', server.folder, '-p', String(server.port), '-k', this.#folder]
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', program, ...where], {
      ...(unprivileged() ?? {}),
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child.stderr!.pipe(createWriteStream(join(this.#folder, `${server.name}.log`), { flags: 'a' }))
    server.child = child
    const url = `postgres://postgres@127.0.0.1:${server.port}/postgres`
    const accepts = async (): Promise<boolean> => {
      if (child.exitCode !== null) throw new Error(`postgres ended with ${child.exitCode}`)
      const client = new pg.Client(url)
      client.on('error', () => {}) // the connection was refused, which the answer says
      return client.connect().then(
        async () => {
          await client.end()
          return true
        },
        () => false,
      )
    }
    await until('PostgreSQL accepts connections', accepts, { ms: START_MS })
  }
}

function hasEnded(child: ChildProcess | null): boolean {
  return child === null || child.exitCode !== null || child.signalCode !== null
}

async function killTree(server: Server): Promise<void> {
  const child = server.child
  if (child === null || hasEnded(child)) return
  const ended = once(child, 'exit')
  const pids = processTree(child.pid!)
  signalAll(pids, 'SIGKILL')
  await ended
  await until('every process of PostgreSQL is gone', () => !pids.some(isThere))
  server.child = null
}
