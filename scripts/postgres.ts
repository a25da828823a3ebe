/**
 * A PostgreSQL server for one test run: the one named by VIGIL_TEST_DATABASE_URL, else a fresh one on a free port in
 * a temporary folder, from the server programs found on this machine. Returns null when there are none.
 */
import { spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TestServer {
  /** Connection text of a superuser's database on it. */
  url: string
  stop: () => void
}

const DEBIAN_FOLDER = '/usr/lib/postgresql'

/** Folder of the server programs of this machine; null where there are none. */
export function findPrograms(): string | null {
  const found = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' })
  if (found.status === 0 && existsSync(join(found.stdout.trim(), 'initdb'))) return found.stdout.trim()
  if (!existsSync(DEBIAN_FOLDER)) return null
  const versions = readdirSync(DEBIAN_FOLDER).sort((a, b) => Number(b) - Number(a))
  const folder = versions.map((version) => join(DEBIAN_FOLDER, version, 'bin'))
  return folder.find((path) => existsSync(join(path, 'initdb'))) ?? null
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** The server refuses to run as root: an unprivileged account is used then. */
export function unprivileged(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null
  for (const name of ['postgres', 'nobody']) {
    const uid = spawnSync('id', ['-u', name], { encoding: 'utf8' })
    const gid = spawnSync('id', ['-g', name], { encoding: 'utf8' })
    if (uid.status === 0 && gid.status === 0) return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
  }
  throw new Error('the PostgreSQL server cannot run as root, and there is no account to run it as')
}

/** A file system in memory, of Linux. */
const MEMORY_FOLDER = '/dev/shm'
/** Databases and log of a whole run take about two. */
const MEMORY_BYTES = 8 * 2 ** 30

/**
 * Where the server of a run keeps its data: in memory where there is plenty, since most of its time goes into the files of
 * fresh databases, else in the temporary folder.
 */
function fastestFolder(): string {
  if (!existsSync(MEMORY_FOLDER) || process.availableMemory() < 2 * MEMORY_BYTES) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
  return bavail * bsize < MEMORY_BYTES ? tmpdir() : MEMORY_FOLDER
}

/**
 * Starts a server, or returns null when the machine has no server programs.
 *
 * @param place folder for its data, which makes it a fresh one in any case; a temporary folder unless given
 */
export async function startPostgres(place?: string): Promise<TestServer | null> {
  const given = process.env['VIGIL_TEST_DATABASE_URL']
  if (given && place === undefined) return { url: given, stop: () => {} }
  const programs = findPrograms()
  if (programs === null) return null
  const folder = mkdtempSync(join(place ?? fastestFolder(), 'vigil-postgres-'))
  const account = unprivileged()
  if (account) chownSync(folder, account.uid, account.gid)
  const data = join(folder, 'data')
  const port = await freePort()
  const run = (program: string, args: string[]): void => {
    const done = spawnSync(join(programs, program), args, {
      ...(account ?? {}),
      cwd: folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (done.status !== 0) throw new Error(`${program} failed with status ${done.status}`)
  }
  run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync'])
  // Tests kill processes, never the machine: what the system has taken over is safe from that.
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c max_connections=200 -c fsync=off`
  run('pg_ctl', ['-D', data, '-o', options, '-l', join(folder, 'log'), '-w', 'start'])
  const watch = endWithThisProcess(join(programs, 'pg_ctl'), data, folder)
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: () => {
      run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop'])
      rmSync(folder, { recursive: true, force: true })
      watch.end()
    },
  }
}

/**
 * Lets a shell wait for the end of this process, however it comes, and end the server that it left.
 *
 * @returns what it waits at; its end lets the shell go
 */
function endWithThisProcess(program: string, data: string, folder: string): Socket {
  const end = 'cat; test -d "$2" && "$1" -D "$2" -m immediate stop; rm -rf "$3"'
  const watch = spawn('sh', ['-c', end, 'sh', program, data, folder], {
    ...(unprivileged() ?? {}),
    cwd: '/',
    // Signals to the group of this process are none to it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watch.unref()
  // A pipe of a child is a socket, whatever its type says.
  return (watch.stdin as Socket).unref()
}
