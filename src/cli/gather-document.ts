import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from '@apidevtools/json-schema-ref-parser'
import protobuf from 'protobufjs'
import { parse } from 'yaml'
import { Failure, type Settings } from '../kit/index.ts'

const MAX_FILES = 1_000
const DESCRIPTION = /^\s*["']?(?:openapi|swagger|asyncapi)["']?[ \t]*:/m
/** A reference to another file or address. */
const OUTSIDE = /["']?\$ref["']?\s*:\s*["']?[^#\s"'{}]/
const PROTO_IMPORT = /(?:^|;)\s*import\s+(?:public\s+|weak\s+)?["']/m

/**
 * A document with everything that it refers to, as one: OpenAPI and AsyncAPI documents over several files, and `.proto`
 * files with their imports. Files are read below the folder of the document and below the current one, addresses from
 * the host of the document; anything else is refused. Documents that stand alone come back as they are.
 *
 * @param place path or URL of the document
 * @throws Failure BAD_COMMAND with the reference that cannot be followed, DOCUMENT_NOT_FETCHED
 */
export async function gatherDocument(place: string, bytes: Buffer, settings: Settings): Promise<Buffer> {
  const isUrl = /^https?:\/\//i.test(place)
  const text = bytes.toString('utf8')
  if (/\.proto$/i.test(place) && !isUrl) return PROTO_IMPORT.test(text) ? gatherProto(place) : bytes
  if (!DESCRIPTION.test(text.slice(0, 1_000_000)) || !OUTSIDE.test(text)) return bytes
  return gatherReferences(isUrl ? place : realpathSync(place), bytes, settings)
}

async function gatherReferences(place: string, bytes: Buffer, settings: Settings): Promise<Buffer> {
  let files = 0
  let left = settings.maxImportBytes
  const read = async (url: string): Promise<Buffer> => {
    files++
    if (files > MAX_FILES) throw refused(place, `it refers to more than ${MAX_FILES} files`)
    const found = await readReference(place, url, { maxBytes: left, verifiesTls: settings.verifyTargets })
    left -= found.length
    if (left < 0) throw refused(place, 'it is larger than VIGIL_MAX_IMPORT_BYTES with all that it refers to')
    return found
  }
  let failure: unknown
  try {
    const bundled = await bundle(place, parsed(place, bytes), {
      resolve: {
        file: false,
        http: false,
        any: {
          order: 1,
          canRead: true,
          read: async ({ url }: { url: string }) => {
            try {
              return await read(url)
            } catch (error) {
              failure ??= error
              throw error
            }
          },
        },
      },
      parse: {
        json: false,
        yaml: false,
        text: false,
        binary: false,
        any: {
          order: 1,
          canParse: true,
          parse: ({ url, data }: { url: string; data: unknown }) => parsed(url, data as Buffer),
        },
      },
    })
    return Buffer.from(JSON.stringify(bundled))
  } catch (error) {
    if (failure instanceof Failure) throw failure
    throw refused(place, ((failure ?? error) as Error).message.slice(0, 300), error)
  }
}

async function readReference(
  place: string,
  url: string,
  limits: { maxBytes: number; verifiesTls: boolean },
): Promise<Buffer> {
  const [target = ''] = url.split('#')
  if (/^https?:\/\//i.test(place)) {
    if (!URL.canParse(target) || new URL(target).origin !== new URL(place).origin)
      throw refused(place, `it refers to ${target.slice(0, 200)}, which is on another host`)
    const { fetchDocument } = await import('../app/index.ts')
    return await fetchDocument(target, limits)
  }
  if (/^[a-z][a-z0-9+.-]+:/i.test(target) && !target.startsWith('file:'))
    throw refused(
      place,
      `it refers to ${target.slice(0, 200)}; download that file, and refer to it by its path`,
    )
  const path = target.startsWith('file:') ? fileURLToPath(target) : decodeURIComponent(target)
  return readFileSync(allowed(place, path))
}

/** The real path of a file that may be read. @throws Failure BAD_COMMAND */
function allowed(place: string, path: string): string {
  if (!existsSync(path)) throw refused(place, `it refers to ${path}, which does not exist`)
  const real = realpathSync(path)
  const folders = [dirname(realpathSync(place)), realpathSync(process.cwd())]
  if (!folders.some((folder) => real.startsWith(folder.endsWith(sep) ? folder : folder + sep)))
    throw refused(place, `it refers to ${path}, outside its folder and the current one`)
  return real
}

function parsed(name: string, data: Buffer): Record<string, unknown> {
  const text = data.toString('utf8').replace(/^\ufeff/, '')
  const value: unknown = /^\s*[{[]/.test(text) ? JSON.parse(text) : parse(text)
  if (typeof value !== 'object' || value === null) throw new Error(`${name} does not hold an object`)
  return value as Record<string, unknown>
}

/** A `.proto` file with its imports, as far as they are there; the importer reports messages that are missing. */
function gatherProto(place: string): Buffer {
  const root = new protobuf.Root()
  const folders = [dirname(resolve(place)), process.cwd()]
  root.resolvePath = (_origin, target) => {
    const found = [target, ...folders.map((folder) => resolve(folder, target))].find((path) =>
      existsSync(path),
    )
    return found === undefined ? null : allowed(place, found)
  }
  try {
    root.loadSync(realpathSync(place), { alternateCommentMode: true })
  } catch (error) {
    if (error instanceof Failure) throw error
    throw refused(place, (error as Error).message.slice(0, 300), error)
  }
  return Buffer.from(JSON.stringify(root.toJSON({ keepComments: true })))
}

function refused(place: string, reason: string, cause?: unknown): Failure {
  return new Failure('BAD_COMMAND', { reason: `${place}: ${reason}` }, { cause })
}
