import {
  createReadStream,
  createWriteStream,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import type { TarHeader } from 'modern-tar'
import { packTar, type TarSource, unpackTar } from 'modern-tar/fs'
import { Failure, nowSeconds, renameDurably, syncTree } from '../../kit/index.ts'

/** Folder of the database inside a data folder and inside a backup. */
export const databaseFolder = 'database'

const ABOUT = 'vigil-backup.json'
const FORMAT = 1
const OWNER_ONLY = 0o600
const MAX_ENTRIES = 1_000_000

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
    // The key may be a link to a mounted secret.
    const hasKey = lstatSync(instanceKeyPath, { throwIfNoEntry: false }) !== undefined
    const sources: TarSource[] = [
      { type: 'file', source: about, target: ABOUT },
      ...(hasKey
        ? [{ type: 'file' as const, source: realpathSync(instanceKeyPath), target: 'instance.key' }]
        : []),
      { type: 'directory', source: database, target: databaseFolder },
    ]
    await writeArchive(sources, draft, [
      ...(hasKey ? ['instance.key'] : []),
      ...readdirSync(database, { recursive: true }).map((path) => `${databaseFolder}/${path}`),
    ])
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
 * Packs the sources. The library passes over what is neither file nor folder or vanishes while it reads.
 *
 * @param required names that the archive must hold
 */
async function writeArchive(sources: TarSource[], draft: string, required: readonly string[]): Promise<void> {
  const packed = new Set<string>()
  const map = (header: TarHeader): TarHeader => {
    packed.add(header.name.replace(/\/$/, ''))
    return header
  }
  await pipeline(
    packTar(sources, { map, filter: (_path, stat) => stat.isFile() || stat.isDirectory() }),
    createGzip({ level: 1 }),
    createWriteStream(draft, { mode: OWNER_ONLY, flush: true }),
  )
  const lacking = required.find((name) => !packed.has(name))
  if (lacking !== undefined) {
    const reason = `${lacking} is not a file, or was removed during the backup`
    throw new Failure('SNAPSHOT_FAILED', { reason })
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
    const files = await unpackBackup(file, draft)
    checkAbout(draft, files)
    syncTree(draft)
    if (files.includes('instance.key')) renameSync(join(draft, 'instance.key'), key)
    renameDurably(join(draft, databaseFolder), join(dataDir, databaseFolder))
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** @returns names of the files */
async function unpackBackup(file: string, folder: string): Promise<string[]> {
  const files: string[] = []
  let entries = 0
  const filter = ({ name, type }: TarHeader): boolean => {
    if (++entries > MAX_ENTRIES) throw new Error('too many entries')
    if (type === 'file') files.push(name)
    else if (type !== 'directory') throw new Error(`${name} is neither a file nor a folder`)
    return true
  }
  try {
    const unpack = unpackTar(folder, { strict: true, dmode: 0o700, fmode: OWNER_ONLY, filter })
    await pipeline(createReadStream(file), createGunzip(), unpack)
    return files
  } catch (error) {
    throw new Failure('BACKUP_UNREADABLE', { reason: (error as Error).message }, { cause: error })
  }
}

function checkAbout(draft: string, files: readonly string[]): void {
  if (files[0] !== ABOUT || !files.includes(`${databaseFolder}/PG_VERSION`)) {
    throw new Failure('BACKUP_UNREADABLE', { reason: 'it holds no store' })
  }
  const { format } = JSON.parse(readFileSync(join(draft, ABOUT), 'utf8')) as { format?: unknown }
  if (format !== FORMAT) throw new Failure('BACKUP_UNREADABLE', { reason: `its format is ${String(format)}` })
}
