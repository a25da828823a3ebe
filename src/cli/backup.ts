import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { readRunningServer } from '../app/running-server.ts'
import { type LatestSnapshot, latestSnapshotFile, Snapshots, snapshotFolder } from '../app/snapshots.ts'
import { Failure, type Settings } from '../kit/index.ts'
import { createLog } from '../kit/log.ts'
import { folderHolder } from '../store/owner.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { printResult } from './print-result.ts'
import { readArguments } from './read-arguments.ts'
import { requireStore } from './require-store.ts'
import { withAppContext } from './with-app-context.ts'
import { takeWords } from './words.ts'

const PATIENCE_MS = 600_000
const LOOK_EVERY_MS = 200

/** `vigil backup`: a consistent copy of the embedded store in one file. */
export const backup: Command = {
  help: `Usage: vigil backup <file> [--data-dir FOLDER] [--json]

Writes a consistent copy of the embedded store and the instance key to a file (tar, gzip), whether the server runs on
the data folder or not; a running server keeps running. Keep the file as secret as the data folder itself.
A PostgreSQL server is backed up with its own tools.
`,
  async run(args) {
    const given = readArguments(args)
    const [path] = takeWords(given.words, ['file'])
    const { settings } = given.report
    if (settings.databaseUrl !== null) throw new Failure('NO_EMBEDDED_STORE')
    const file = resolve(path)
    if (existsSync(file)) throw new Failure('BAD_COMMAND', { reason: `${basename(file)} exists already` })
    requireStore(settings)
    // Noticed before the copy is made, not after it.
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 })
    try {
      copyFileSync(await newSnapshot(settings), file)
    } catch (error) {
      rmSync(file)
      throw error
    }
    const bytes = statSync(file).size
    if (given.isJson) printResult(given, { file, bytes }, '')
    else process.stderr.write(`${file}: ${bytes} bytes\n`)
    return exitCodes.done
  },
}

function newSnapshot(settings: Settings): Promise<string> {
  const holder = folderHolder(settings.dataDir)
  return holder === null ? snapshotHere(settings) : snapshotByServer(settings, holder)
}

function snapshotHere(settings: Settings): Promise<string> {
  return withAppContext(settings, ({ store }) => new Snapshots(store, settings, createLog('error')).take())
}

/** Asks the server that holds the folder; only one that said it listens to the signal gets it. */
async function snapshotByServer(settings: Settings, holder: number): Promise<string> {
  const server = readRunningServer(settings.dataDir)
  if (server?.pid !== holder)
    throw new Failure('DATA_FOLDER_IN_USE', { folder: settings.dataDir, pid: holder })
  const askedMs = Date.now()
  process.kill(holder, 'SIGUSR2')
  const note = join(settings.dataDir, snapshotFolder, latestSnapshotFile)
  for (const until = askedMs + PATIENCE_MS; Date.now() < until; await wait(LOOK_EVERY_MS)) {
    const latest = readNote(note)
    if (latest === null || latest.atMs < askedMs) continue
    if (latest.file === null) throw new Failure('SNAPSHOT_FAILED', { reason: latest.reason ?? 'see the log' })
    return latest.file
  }
  throw new Failure('SNAPSHOT_FAILED', { reason: 'the server did not answer in time' })
}

function readNote(path: string): LatestSnapshot | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as LatestSnapshot
  } catch {
    return null // absent, or being written: the next look comes
  }
}
