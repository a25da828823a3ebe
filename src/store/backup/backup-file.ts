import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { Failure, nowSeconds, renameDurably, syncTree } from '../../kit/index.ts'
import { packTrees, unpackInto } from './tar.ts'

/** Folder of the database inside a data folder and inside a backup. */
export const databaseFolder = 'database'

const ABOUT = 'vigil-backup.json'
const FORMAT = 1
const OWNER_ONLY = 0o600

/**
 * Writes a backup file (tar, gzip) of a copied database folder and the instance key, when there is a file of it. The
 * file is whole or not there: it is written beside and renamed.
 *
 * @param database a copy that nothing writes to
 * @returns size of the file in bytes
 * @throws Failure SNAPSHOT_FAILED
 */
export async function writeBackup(file: string, database: string, instanceKeyPath: string): Promise<number> {
  const draft = `${file}.partial`
  const about = `${database}.json`
  try {
    writeFileSync(about, JSON.stringify({ format: FORMAT, takenAt: nowSeconds() }), { mode: OWNER_ONLY })
    const roots = [
      { path: about, name: ABOUT },
      ...(existsSync(instanceKeyPath) ? [{ path: instanceKeyPath, name: 'instance.key' }] : []),
      { path: database, name: databaseFolder },
    ]
    await pipeline(
      Readable.from(packTrees(roots)),
      createGzip({ level: 1 }),
      createWriteStream(draft, { mode: OWNER_ONLY, flush: true }),
    )
    renameDurably(draft, file)
    return statSync(file).size
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure('SNAPSHOT_FAILED', { reason: (error as Error).message }, { cause: error })
  } finally {
    rmSync(draft, { force: true })
    rmSync(about, { force: true })
  }
}

/**
 * Puts a backup into a data folder that has no store yet. The caller holds the folder's lock. Nothing is in its
 * place until everything was read and checked.
 *
 * @throws Failure BACKUP_UNREADABLE, DATA_FOLDER_NOT_EMPTY
 */
export async function restoreBackup(file: string, dataDir: string): Promise<void> {
  const key = join(dataDir, 'instance.key')
  if (existsSync(join(dataDir, databaseFolder)) || existsSync(key)) {
    throw new Failure('DATA_FOLDER_NOT_EMPTY', { folder: dataDir })
  }
  const draft = join(dataDir, 'restore.partial')
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  try {
    const unzipped = createReadStream(file).on('error', (error) => unzip.destroy(error))
    const unzip = createGunzip()
    const files = await unpackInto(draft, unzipped.pipe(unzip)).catch((error: unknown) => {
      if (error instanceof Failure) throw error
      throw new Failure('BACKUP_UNREADABLE', { reason: (error as Error).message }, { cause: error })
    })
    checkAbout(draft, files)
    syncTree(draft)
    if (files.includes('instance.key')) renameSync(join(draft, 'instance.key'), key)
    renameDurably(join(draft, databaseFolder), join(dataDir, databaseFolder))
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

function checkAbout(draft: string, files: readonly string[]): void {
  if (files[0] !== ABOUT || !files.includes(`${databaseFolder}/PG_VERSION`)) {
    throw new Failure('BACKUP_UNREADABLE', { reason: 'it holds no store' })
  }
  const { format } = JSON.parse(readFileSync(join(draft, ABOUT), 'utf8')) as { format?: unknown }
  if (format !== FORMAT) throw new Failure('BACKUP_UNREADABLE', { reason: `its format is ${String(format)}` })
}
