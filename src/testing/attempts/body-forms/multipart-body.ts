import type { JsonTree } from '../json-tree.ts'
import { isScalar, scalarText, writeTree } from '../json-tree.ts'
import type { AttachedFile } from '../request-draft.ts'
import type { BodyForm } from './body-form.ts'
import { bytesText, plainText } from './body-form.ts'

const MAX_PARTS = 200
const MAX_PART_HEADER_CHARS = 8192

/**
 * `multipart/form-data` (RFC 7578): an object with the text of each field; a file is an object with `filename`,
 * `contentType` and `content` in base64.
 */
export const multipartBody: BodyForm = {
  read(body, contentType) {
    const boundary = boundaryOf(contentType)
    const parts = boundary === null ? null : partsOf(body, boundary)
    if (parts === null) return null
    const tree = new Map<string, JsonTree>()
    for (const part of parts) {
      const before = tree.get(part.name)
      if (before === undefined) tree.set(part.name, part.value)
      else if (Array.isArray(before)) before.push(part.value)
      else tree.set(part.name, [before, part.value])
    }
    return tree
  },
  write(body, contentType, edited) {
    const boundary = boundaryOf(contentType)
    const recorded = (boundary === null ? null : partsOf(body, boundary)) ?? []
    const left = new Map([...edited].map(([name, value]) => [name, Array.isArray(value) ? value : [value]]))
    let text = ''
    for (const part of recorded) {
      const values = left.get(part.name)
      const at = values?.findIndex((value) => writeTree(value) === writeTree(part.value)) ?? -1
      if (values === undefined || at < 0) continue
      values.splice(at, 1)
      text += `--${boundary}\r\n${part.raw}\r\n`
    }
    for (const [name, values] of left)
      for (const value of values) text += partText(boundary ?? '', name, value)
    return `${text}--${boundary}--\r\n`
  },
}

/** The boundary parameter of a content type; null when there is none (RFC 2046 section 5.1.1). */
export function boundaryOf(contentType: string): string | null {
  const found = /;[ \t]*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(contentType)
  return found?.[1] ?? found?.[2] ?? null
}

/** A multipart body with files added after its parts; an empty body becomes one with only the files. */
export function withFiles(body: string, boundary: string, files: readonly AttachedFile[]): string {
  const end = body.lastIndexOf(`--${boundary}--`)
  const start = end < 0 ? '' : body.slice(0, end)
  const parts = files.map(
    (file) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(file.field)}"; filename="${quoted(file.fileName)}"\r\n` +
      `Content-Type: ${file.mediaType}\r\n\r\n${Buffer.from(file.bytes).toString('latin1')}\r\n`,
  )
  return `${start}${parts.join('')}--${boundary}--\r\n`
}

interface Part {
  /** Between the boundaries, without the line ends there. */
  readonly raw: string
  readonly name: string
  readonly value: JsonTree
}

function partsOf(body: string, boundary: string): Part[] | null {
  const pieces = `\r\n${body}`.split(`\n--${boundary}`, MAX_PARTS + 2)
  if (pieces.length < 2) return null
  const parts: Part[] = []
  for (const piece of pieces.slice(1)) {
    if (piece.startsWith('--')) return parts
    const raw = piece.replace(/^\r?\n/, '').replace(/\r$/, '')
    const gap = /\r?\n\r?\n/.exec(raw.slice(0, MAX_PART_HEADER_CHARS))
    if (gap === null) return null
    const head = plainText(raw.slice(0, gap.index))
    parts.push({
      raw,
      name: parameter(head, 'name') ?? '',
      value: contentOf(head, raw.slice(gap.index + gap[0].length)),
    })
  }
  return parts
}

function contentOf(head: string, content: string): JsonTree {
  const fileName = parameter(head, 'filename')
  if (fileName === null) return plainText(content)
  return new Map([
    ['filename', fileName],
    ['contentType', /^content-type:[ \t]*([^\r\n]*)/im.exec(head)?.[1]?.trim() ?? ''],
    ['content', Buffer.from(content, 'latin1').toString('base64')],
  ])
}

function partText(boundary: string, name: string, value: JsonTree): string {
  const file = value instanceof Map && value.has('filename') && value.has('content') ? value : null
  const disposition = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"`
  if (file === null) {
    const text = isScalar(value) ? scalarText(value) : writeTree(value)
    return `${disposition}\r\n\r\n${bytesText(text)}\r\n`
  }
  const textOf = (key: string): string => scalarText(file.get(key) ?? '')
  const type = textOf('contentType').replace(/[\r\n]/g, ' ')
  return (
    `${disposition}; filename="${quoted(textOf('filename'))}"\r\n${type === '' ? '' : `Content-Type: ${bytesText(type)}\r\n`}` +
    `\r\n${Buffer.from(textOf('content'), 'base64').toString('latin1')}\r\n`
  )
}

function parameter(head: string, name: string): string | null {
  const found = new RegExp(`;[ \\t]*${name}=(?:"([^"]*)"|([^\\s;"]*))`, 'i').exec(head)
  return found?.[1] ?? found?.[2] ?? null
}

/** Escapes as browsers do (WHATWG HTML, multipart form data). */
function quoted(text: string): string {
  return bytesText(text).replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')
}
