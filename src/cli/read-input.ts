import { readFileSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import { fetchDocument } from '../app/index.ts'
import { Failure, type Settings } from '../kit/index.ts'

const STANDARD_INPUT = '-'

/** A document for an import. */
export interface Input {
  /** As it was named on the command line. */
  readonly name: string
  /** A hint at its format. */
  readonly fileName: string
  readonly bytes: Buffer
}

/**
 * Reads a file, a URL, or standard input (`-`).
 *
 * @throws Failure BAD_COMMAND, DOCUMENT_NOT_FETCHED
 */
export async function readInput(name: string, settings: Settings): Promise<Input> {
  const { maxImportBytes: limit, verifyTargets } = settings
  if (/^https?:\/\//i.test(name)) {
    if (!URL.canParse(name)) throw new Failure('BAD_COMMAND', { reason: `${name} is not a URL` })
    const bytes = await fetchDocument(name, { maxBytes: limit, verifiesTls: verifyTargets })
    const fileName = basename(new URL(name).pathname)
    return { name, fileName: fileName === '' ? 'document' : fileName, bytes }
  }
  if (name === STANDARD_INPUT)
    return { name: 'standard input', fileName: 'standard input', bytes: await standardInput(limit) }
  try {
    if (statSync(name).size > limit) throw tooLarge(name, limit)
    return { name, fileName: basename(name), bytes: readFileSync(name) }
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(
      'BAD_COMMAND',
      { reason: `${name} cannot be read: ${(error as Error).message}` },
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
