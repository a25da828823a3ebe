import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AwsClient } from 'aws4fetch'
import { Failure, type Settings, syncFolder } from '../../kit/index.ts'

const FOLDER_MODE = 0o700
const FILE_MODE = 0o600
/** A part is some megabytes. */
const ANSWER_MS = 120_000
const RETRIES = 3
const SHOWN_ANSWER = 300

/** Where files of the archive are, by names with slashes. */
export interface ArchivePlace {
  /** The folder or bucket, without credentials. */
  readonly location: string
  /** Writes a file whole, or replaces it. @throws Failure ARCHIVE_FAILED */
  write(name: string, bytes: Uint8Array): Promise<void>
  /** @throws Failure ARCHIVE_FAILED, also when there is no such file */
  read(name: string): Promise<Buffer>
}

/**
 * The archive that the settings name; null without one.
 *
 * @param sync makes the entries of a folder durable
 * @throws Failure ARCHIVE_FAILED when credentials are missing
 */
export function openArchivePlace(settings: Settings, sync = syncFolder): ArchivePlace | null {
  if (settings.archiveUrl === null) return null
  const url = new URL(settings.archiveUrl)
  return url.protocol === 'file:'
    ? folderPlace(resolve(fileURLToPath(url)), sync)
    : bucketPlace(url, settings)
}

function folderPlace(folder: string, sync: typeof syncFolder): ArchivePlace {
  return {
    location: folder,
    write: (name, bytes) =>
      explained(async () => {
        const path = join(folder, name)
        const made = await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE })
        const file = await open(`${path}.new`, 'w', FILE_MODE)
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(`${path}.new`, path)
        const isNew = made !== undefined && !relative(made, folder).startsWith('..')
        syncUpTo(isNew ? dirname(made) : folder, dirname(path), sync)
      }),
    read: (name) => explained(() => readFile(join(folder, name))),
  }
}

/** Syncs a folder and those that list it, up to `top`: mkdir syncs none of them. */
function syncUpTo(top: string, folder: string, sync: typeof syncFolder): void {
  sync(folder)
  if (folder !== top) syncUpTo(top, dirname(folder), sync)
}

function bucketPlace({ hostname: bucket, pathname }: URL, settings: Settings): ArchivePlace {
  const { archiveAccessKeyId: accessKeyId, archiveSecretKey: secretAccessKey } = settings
  if (accessKeyId === null || secretAccessKey === null)
    throw new Failure('ARCHIVE_FAILED', {
      reason: 'VIGIL_ARCHIVE_ACCESS_KEY_ID or VIGIL_ARCHIVE_SECRET_KEY is missing',
    })
  const region = settings.archiveRegion
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3', retries: RETRIES })
  const origin =
    settings.archiveEndpoint === null
      ? `https://${bucket}.s3.${region}.amazonaws.com`
      : `${settings.archiveEndpoint.replace(/\/+$/, '')}/${bucket}`
  const base = origin + pathname.replace(/\/+$/, '')
  const call = (name: string, method: string, body: Uint8Array<ArrayBuffer> | null): Promise<Buffer> =>
    explained(async () => {
      const signal = AbortSignal.timeout(ANSWER_MS)
      const answer = await client.fetch(`${base}/${name}`, { method, body, signal })
      const bytes = Buffer.from(await answer.arrayBuffer())
      if (!answer.ok)
        throw new Error(
          `${method} ${name}: status ${answer.status} ${bytes.toString().slice(0, SHOWN_ANSWER)}`,
        )
      return bytes
    })
  return {
    location: `s3://${bucket}${pathname.replace(/\/+$/, '')}`,
    write: async (name, bytes) => {
      await call(name, 'PUT', new Uint8Array(bytes))
    },
    read: (name) => call(name, 'GET', null),
  }
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { message, cause } = error as Error
    const reason = cause instanceof Error && cause.message !== '' ? `${message}: ${cause.message}` : message
    throw new Failure('ARCHIVE_FAILED', { reason }, { cause: error })
  }
}
