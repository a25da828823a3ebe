import { createHash } from 'node:crypto'
import type { BodyLimits, BodyObject, BodyValue } from './body-value.ts'
import { addRepeatable, emptyObject } from './body-value.ts'
import { parseJsonBody } from './json.ts'
import { headerParameter, mediaTypeOf, sniffMediaType } from './media-type.ts'

const MAX_PARTS = 200
const MAX_PART_HEADER_CHARS = 8192
/** Fields longer than this are described like files. */
const MAX_FIELD_CHARS = 65_536

/**
 * Reads a multipart body (RFC 7578). Fields become their text (JSON parts their value); files become a description with
 * name, declared and sniffed type, size and SHA-256: their content is not kept. `text` holds one character a byte
 * (latin1) when `isBytes`, else it is already decoded. Undefined without a usable boundary.
 */
export function parseMultipart(
  contentType: string,
  text: string,
  isBytes: boolean,
  limits: BodyLimits,
): { value: BodyObject; isTruncated: boolean } | undefined {
  const boundary = headerParameter(contentType, 'boundary') ?? /^--([^\s"]{1,70})\r?\n/.exec(text)?.[1]
  if (boundary === undefined || boundary === '' || boundary.length > 100) return undefined
  const delimiter = `--${boundary}`
  const object = emptyObject()
  let start = text.indexOf(delimiter)
  let parts = 0
  while (start >= 0 && parts < MAX_PARTS) {
    const from = start + delimiter.length
    if (text.startsWith('--', from)) return { value: object, isTruncated: false }
    const next = text.indexOf(`\n${delimiter}`, from)
    if (next < 0) break
    addPart(object, text.slice(from, next), isBytes, limits)
    parts++
    start = next + 1
  }
  return parts > 0 || start >= 0 ? { value: object, isTruncated: true } : undefined
}

function addPart(object: BodyObject, part: string, isBytes: boolean, limits: BodyLimits): void {
  const separator = /\r?\n\r?\n/.exec(part.slice(0, MAX_PART_HEADER_CHARS))
  if (separator === null) return
  const headers = partHeaders(part.slice(0, separator.index))
  const raw = part.slice(separator.index + separator[0].length).replace(/\r$/, '')
  const disposition = headers.get('content-disposition') ?? ''
  const name = decoded(
    headerParameter(disposition, 'name') ?? `part${Object.keys(object).length + 1}`,
    isBytes,
  )
  const fileName = headerParameter(disposition, 'filename') ?? headerParameter(disposition, 'filename*')
  const type = mediaTypeOf(headers.get('content-type') ?? '')
  addRepeatable(object, name, partValue(raw, type, fileName, isBytes, limits))
}

function partValue(
  raw: string,
  type: string,
  fileName: string | undefined,
  isBytes: boolean,
  limits: BodyLimits,
): BodyValue {
  const isText = fileName === undefined && (type === '' || type.startsWith('text/') || type.endsWith('json'))
  if (isText && raw.length <= MAX_FIELD_CHARS) {
    const text = decoded(raw, isBytes)
    return (type.endsWith('json') ? parseJsonBody(text, limits)?.value : undefined) ?? text
  }
  const bytes = Buffer.from(raw, isBytes ? 'latin1' : 'utf8')
  const file = emptyObject()
  file['fileName'] = decoded(fileName ?? '', isBytes)
  file['declaredType'] = type
  file['sniffedType'] = sniffMediaType(bytes) ?? ''
  file['size'] = bytes.length
  file['sha256'] = createHash('sha256').update(bytes).digest('hex')
  return file
}

function decoded(text: string, isBytes: boolean): string {
  return isBytes ? Buffer.from(text, 'latin1').toString('utf8') : text
}

function partHeaders(text: string): Map<string, string> {
  const headers = new Map<string, string>()
  for (const line of text.split(/\r?\n/, 32)) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim())
  }
  return headers
}
