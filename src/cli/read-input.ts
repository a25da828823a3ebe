import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { Failure, type Settings } from '../kit/index.ts'
import { fileReason } from './file-reason.ts'
import { gatherDocument } from './gather-document.ts'

const STANDARD_INPUT = '-'

/** True for what is fetched rather than read. */
export function isAddress(name: string): boolean {
  return /^(?:https?|grpcs?):\/\//i.test(name)
}

/** An input as reports and warnings name it: an address without user, password, query and fragment, which can hold secrets. */
export function withoutSecrets(name: string): string {
  if (!isAddress(name) || !URL.canParse(name)) return name
  const address = new URL(name)
  for (const part of ['username', 'password', 'search', 'hash'] as const) address[part] = ''
  return address.href
}

/** A document for an import. */
export interface Input {
  /** As it was named on the command line. */
  readonly name: string
  /** A hint at its format. */
  readonly fileName: string
  readonly bytes: Buffer
}

/**
 * Reads a file, a URL, what a gRPC server tells of itself, or standard input (`-`); with a file or URL, all that it refers
 * to.
 *
 * @throws Failure BAD_COMMAND, DOCUMENT_NOT_FETCHED
 */
export async function readInput(name: string, settings: Settings): Promise<Input> {
  const { maxImportBytes: limit, verifyTargets } = settings
  if (/^https?:\/\//i.test(name)) {
    if (!URL.canParse(name)) throw new Failure('BAD_COMMAND', { reason: `${name} is not a URL` })
    const { fetchDocument } = await import('../app/index.ts')
    const bytes = await fetchDocument(name, { maxBytes: limit, verifiesTls: verifyTargets })
    const fileName = basename(new URL(name).pathname)
    const whole = await gatherDocument(name, bytes, settings)
    return { name, fileName: fileName === '' ? 'document' : fileName, bytes: whole }
  }
  if (/^grpcs?:\/\//i.test(name)) {
    if (!URL.canParse(name)) throw new Failure('BAD_COMMAND', { reason: `${name} is not a URL` })
    const { describeGrpc } = await import('../app/index.ts')
    const bytes = await describeGrpc(name, { maxBytes: limit, verifiesTls: verifyTargets })
    return { name, fileName: new URL(name).host, bytes }
  }
  if (name === STANDARD_INPUT)
    return { name: 'standard input', fileName: 'standard input', bytes: await standardInput(limit) }
  try {
    if (statSync(name).size > limit) throw tooLarge(name, limit)
    const bytes = await gatherDocument(name, readFileSync(name), settings)
    return { name, fileName: basename(name), bytes }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(
      'BAD_COMMAND',
      { reason: `${name} cannot be read: ${fileReason(error)}` },
      { cause: error },
    )
  }
}

async function standardInput(limit: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of process.stdin as AsyncIterable<Buffer>) {
    size += part.length
    if (size > limit) throw tooLarge('standard input', limit)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function tooLarge(name: string, limit: number): Failure {
  return new Failure('BAD_COMMAND', {
    reason: `${name} is larger than ${limit} bytes; split it, or raise VIGIL_MAX_IMPORT_BYTES here and for the server`,
  })
}
