import { type Exchange, headerParameter, headerValue, multipartBody } from '../../http/index.ts'
import type { DeclaredOperation } from '../../traffic/index.ts'

type Request = Exchange['request']
/** The value that answers have shown for a field; null for none. */
type ReferenceOf = (name: string) => string | null

const MAX_DEPTH = 12
/** What a file of a form holds. */
const FILE = { fileName: 'vigil.txt', mediaType: 'text/plain' }

/**
 * A request of a document with its body as it is sent: the ids of other things that answers have shown are in it, and
 * a form with parts, which documents describe as an object, is written as such.
 */
export function withBody(request: Request, operation: DeclaredOperation, referenceOf: ReferenceOf): Request {
  const mediaType = headerValue(request.headers, 'content-type') ?? ''
  if (/form-urlencoded/i.test(mediaType)) return { ...request, body: filledForm(request.body, referenceOf) }
  let tree: unknown
  try {
    tree = JSON.parse(request.body)
  } catch {
    return request // not JSON: texts go as the document has them
  }
  if (typeof tree !== 'object' || tree === null) return request
  const filled = fill(tree, referenceOf, 0)
  if (/multipart\/form-data/i.test(mediaType) && headerParameter(mediaType, 'boundary') === undefined)
    return partsOf(request, filled as Record<string, unknown>, operation)
  return { ...request, body: JSON.stringify(filled) }
}

function fill(node: unknown, referenceOf: ReferenceOf, depth: number): unknown {
  if (depth > MAX_DEPTH || typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map((item) => fill(item, referenceOf, depth + 1))
  return Object.fromEntries(
    Object.entries(node).map(([name, value]) => [
      name,
      typeof value === 'object' ? fill(value, referenceOf, depth + 1) : referenceOr(name, value, referenceOf),
    ]),
  )
}

function referenceOr(name: string, value: unknown, referenceOf: ReferenceOf): unknown {
  const known = referenceOf(name)
  if (known === null) return value
  return typeof value === 'number' && /^-?\d{1,15}$/.test(known) ? Number(known) : known
}

function filledForm(body: string, referenceOf: ReferenceOf): string {
  const form = new URLSearchParams()
  for (const [name, value] of new URLSearchParams(body)) form.append(name, referenceOf(name) ?? value)
  return form.toString()
}

/** A form with a part for each field; fields of binary data are files. */
function partsOf(request: Request, fields: Record<string, unknown>, operation: DeclaredOperation): Request {
  const keys = operation.requests.find(({ mediaType }) => /multipart\/form-data/i.test(mediaType))?.keys ?? []
  const files = new Set(
    keys.filter(({ format }) => format === 'binary').map(({ key }) => key.replace(/#\$$/, '')),
  )
  const parts = Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one: unknown) => ({
      name,
      value: typeof one === 'string' ? one : (JSON.stringify(one) ?? ''),
      ...(files.has(name) ? FILE : {}),
    })),
  )
  const { text, boundary } = multipartBody(parts)
  const headers = request.headers.map((value, at) =>
    at % 2 === 1 && request.headers[at - 1]!.toLowerCase() === 'content-type'
      ? `multipart/form-data; boundary=${boundary}`
      : value,
  )
  return { ...request, headers, body: text }
}
