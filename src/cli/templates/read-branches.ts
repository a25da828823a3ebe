import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { unpackTar } from 'modern-tar/fs'
import { Failure } from '../../kit/index.ts'
import { ScanFailure } from '../scan/scan-failure.ts'

const MAX_BYTES = 1024 * 1024 * 1024
const PATIENCE_MS = 600_000
const run = promisify(execFile)

/** The files of a library, unpacked. */
export interface LibraryPart {
  /** Branch, tag or commit. */
  readonly name: string
  readonly commit: string
  readonly folder: string
}

/**
 * Reads a git repository into folders: all its branches, the default one first, or what `ref` names.
 *
 * @throws Failure BAD_COMMAND for an address or a name that git would take for an option; ScanFailure with git's reason
 */
export async function readBranches(source: string, ref: string | null, work: string): Promise<LibraryPart[]> {
  if (source.startsWith('-') || ref?.startsWith('-'))
    throw new Failure('BAD_COMMAND', { reason: 'an address and --ref do not begin with -' })
  const repository = join(work, 'repository')
  await git(['clone', '--bare', '--quiet', '--', source, repository])
  const names = ref === null ? await branches(repository) : [ref]
  const parts: LibraryPart[] = []
  for (const name of names) {
    const folder = join(work, `part-${parts.length}`)
    const commit = (await git(['-C', repository, 'rev-parse', '--verify', `${name}^{commit}`]))
      .toString()
      .trim()
    await unpack(await git(['-C', repository, 'archive', '--format=tar', commit]), folder)
    parts.push({ name, commit, folder })
  }
  return parts
}

/**
 * Writes what a tar archive holds.
 *
 * @throws Error when an entry or a link leads out of the folder, or the archive is damaged
 */
export async function unpack(archive: Uint8Array, folder: string): Promise<void> {
  await pipeline([archive], unpackTar(folder, { strict: true }))
}

async function branches(repository: string): Promise<string[]> {
  const list = ['for-each-ref', '--format=%(refname:short)', 'refs/heads']
  const names = (await git(['-C', repository, ...list])).toString().split('\n').filter(Boolean)
  const head = (await git(['-C', repository, 'symbolic-ref', '--short', 'HEAD'])).toString().trim()
  return [...names.filter((name) => name === head), ...names.filter((name) => name !== head).sort()]
}

/** Nothing asks for a password, and no address starts a program. */
async function git(args: readonly string[]): Promise<Buffer> {
  const env = { ...process.env, GIT_TERMINAL_PROMPT: '0', GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file' }
  try {
    const options = { env, encoding: 'buffer', maxBuffer: MAX_BYTES, timeout: PATIENCE_MS } as const
    return (await run('git', [...args], options)).stdout
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: Buffer }
    if (code === 'ENOENT')
      throw new ScanFailure('git is not installed; install it, or name a .tar.gz archive')
    throw new ScanFailure(`git: ${stderr?.toString().trim() || (error as Error).message}`)
  }
}
