import { spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findPrograms, unprivileged } from '../../scripts/postgres.ts'
import { processTree } from '../../test/faults/schedule/processes.ts'
import { freePort } from '../../test/server-process.ts'
import { cpuSeconds } from '../scaling/figures.ts'

/** A PostgreSQL server whose data stays in a folder. */
export interface KeptServer {
  urlOf(database: string): string
  /** What it wrote. */
  readonly log: string
  /** CPU seconds of all its processes so far. */
  cpu(): number
}

/**
 * Starts the server of a folder, a new one if there is none, and stops it when this process exits; its memory is that of
 * PostgreSQL's defaults. One that a killed command left is stopped first.
 */
export async function startKeptServer(folder: string): Promise<KeptServer> {
  const programs = findPrograms()
  if (programs === null) throw new Error('this machine has no PostgreSQL programs')
  const account = unprivileged()
  mkdirSync(folder, { recursive: true })
  if (account !== null) chownSync(folder, account.uid, account.gid)
  const data = join(folder, 'data')
  const run = (program: string, args: string[]): void => {
    const done = spawnSync(join(programs, program), args, {
      ...(account ?? {}),
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (done.status !== 0) throw new Error(`${program} failed with status ${done.status}`)
  }
  if (!existsSync(data)) {
    // Renamed when it is complete: a command may be cut off meanwhile.
    rmSync(`${data}.new`, { recursive: true, force: true })
    run('initdb', ['-D', `${data}.new`, '-U', 'postgres', '-A', 'trust', '--no-sync'])
    renameSync(`${data}.new`, data)
  }
  const stop = (): void => run('pg_ctl', ['-D', data, '-m', 'fast', '-w', 'stop'])
  if (spawnSync(join(programs, 'pg_ctl'), ['-D', data, 'status'], { ...account, cwd: folder }).status === 0)
    stop()
  const port = await freePort()
  const log = join(folder, 'log')
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off`
  run('pg_ctl', ['-D', data, '-o', options, '-l', log, '-w', 'start'])
  process.once('exit', stop)
  const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  return {
    urlOf: (database) => `postgres://postgres@127.0.0.1:${port}/${database}`,
    log,
    cpu: () => processTree(pid).reduce((sum, one) => sum + cpuSeconds(one), 0),
  }
}
