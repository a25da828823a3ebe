import { isUtf8 } from 'node:buffer'
import type { BodyFormat, BodyLimits, BodyValue, ParsedBody } from './body-value.ts'
import { BODY_LIMITS } from './body-value.ts'
import { decodeContentEncoding } from './content-encoding.ts'
import { parseEventStream } from './event-stream.ts'
import { parseForm } from './form.ts'
import { parseGrpc } from './grpc.ts'
import { parseJsonBody, parseJsonLines, parseJsonp } from './json.ts'
import { mediaTypeOf, sniffMediaType } from './media-type.ts'
import { parseMultipart } from './multipart.ts'
import { decodeProtobuf } from './protobuf.ts'
import { parseXml } from './xml.ts'

/** A body as a message carries it. */
interface BodyInput {
  /** Value of the content-type header; '' when there is none. */
  readonly contentType: string
  readonly body: string
  readonly isBase64?: boolean
  /** Value of the content-encoding header. Undone only for base64 bodies: texts were decoded before they were recorded. */
  readonly contentEncoding?: string
}

/** A body at hand: as text where it is text, as bytes where it came as bytes. */
interface Content {
  readonly mediaType: string
  readonly contentType: string
  readonly text: string | undefined
  readonly bytes: Buffer | undefined
  readonly limits: BodyLimits
}

type Tree = { readonly value: BodyValue; readonly isTruncated: boolean } | undefined

/**
 * Turns a body into a tree of values for the parameters of an endpoint, or describes it when it has none. The format is
 * recognised by the content type, and by the first characters where that says nothing. Never throws for any input.
 */
export function parseBody(input: BodyInput, limits: BodyLimits = BODY_LIMITS): ParsedBody {
  if (input.body === '') return { kind: 'none' }
  const mediaType = mediaTypeOf(input.contentType)
  if (!input.isBase64) {
    const content: Content = {
      mediaType,
      contentType: input.contentType,
      text: input.body,
      bytes: undefined,
      limits,
    }
    return parseContent(content, input.body.length)
  }
  const raw = Buffer.from(input.body, 'base64')
  if (raw.length === 0) return { kind: 'none' }
  const { bytes, outcome } = decodeContentEncoding(raw, input.contentEncoding ?? '', limits.maxDecodedBytes)
  if (outcome === 'TOO_LARGE') return { kind: 'opaque', mediaType, size: raw.length, reason: 'too large' }
  const text = isUtf8(bytes) && !bytes.includes(0) ? bytes.toString('utf8') : undefined
  return parseContent({ mediaType, contentType: input.contentType, text, bytes, limits }, raw.length)
}

function parseContent(content: Content, size: number): ParsedBody {
  const format = formatOf(content)
  if (format === undefined) return opaque(content, size, content.text === undefined ? 'binary' : 'text')
  const tree = treeOf(format, content)
  if (tree === undefined) return opaque(content, size, content.text === undefined ? 'binary' : 'malformed')
  return { kind: 'tree', format, value: tree.value, isTruncated: tree.isTruncated }
}

function opaque(content: Content, size: number, reason: 'text' | 'binary' | 'malformed'): ParsedBody {
  const sniffed = content.bytes === undefined ? undefined : sniffMediaType(content.bytes)
  return { kind: 'opaque', mediaType: content.mediaType || sniffed || '', size, reason }
}

/** Parts of media types and the format each announces; the first that is contained decides. */
const FORMATS: readonly (readonly [part: string, format: BodyFormat])[] = [
  ['x-www-form-urlencoded', 'form'],
  ['multipart/', 'multipart'],
  ['ndjson', 'lines'],
  ['jsonl', 'lines'],
  ['json-seq', 'lines'],
  ['stream+json', 'lines'],
  ['json', 'json'],
  ['soap', 'xml'],
  ['event-stream', 'events'],
  ['grpc', 'grpc'],
  ['protobuf', 'protobuf'],
  ['javascript', 'jsonp'],
]

function formatOf(content: Content): BodyFormat | undefined {
  const { mediaType } = content
  const known = FORMATS.find(([part]) => mediaType.includes(part))
  if (known !== undefined) return known[1]
  if (/(?:^|[/+])xml$/.test(mediaType) && !mediaType.includes('xhtml') && !mediaType.startsWith('image/'))
    return 'xml'
  return mediaType === 'text/html' ? undefined : sniffedFormat(content.text)
}

/** Formats that a text without a telling type begins like. */
function sniffedFormat(text: string | undefined): BodyFormat | undefined {
  const head = text?.slice(0, 64).trimStart() ?? ''
  if (head.startsWith('{') || head.startsWith('[')) return 'json'
  return head.startsWith('<?xml') || /^<(?:\w+:)?Envelope\b/.test(head) ? 'xml' : undefined
}

function treeOf(format: BodyFormat, content: Content): Tree {
  const { text, bytes, limits } = content
  switch (format) {
    case 'grpc': {
      const frames = framesOf(content)
      return frames === undefined ? undefined : parseGrpc(frames, limits)
    }
    case 'protobuf': {
      const value = bytes === undefined ? undefined : decodeProtobuf(bytes)
      return value === undefined ? undefined : { value, isTruncated: false }
    }
    case 'multipart':
      return parseMultipart(
        content.contentType,
        bytes?.toString('latin1') ?? text ?? '',
        bytes !== undefined,
        limits,
      )
    default:
      return text === undefined ? undefined : treeOfText(format, text, limits)
  }
}

function treeOfText(format: BodyFormat, text: string, limits: BodyLimits): Tree {
  switch (format) {
    case 'form':
      // Clients that set no content type send JSON under this one.
      return (
        (/^\s*[{[]/.test(text) ? strictJson(text, limits) : undefined) ?? {
          value: parseForm(text, limits.maxChars),
          isTruncated: text.length > limits.maxChars,
        }
      )
    case 'xml':
      return parseXml(text, limits)
    case 'events':
      return parseEventStream(text, limits)
    case 'lines':
      return parseJsonLines(text, limits) ?? parseJsonBody(text, limits)
    case 'jsonp':
      return parseJsonp(text, limits)
    default:
      return parseJsonOrLines(text, limits)
  }
}

function strictJson(text: string, limits: BodyLimits): Tree {
  const parsed = parseJsonBody(text, limits)
  return parsed?.isTruncated ? undefined : parsed
}

/** Several JSON texts, one a line, are often sent as plain JSON. */
function parseJsonOrLines(text: string, limits: BodyLimits): Tree {
  const parsed = parseJsonBody(text, limits)
  if (parsed === undefined || (parsed.isTruncated && text.includes('\n')))
    return parseJsonLines(text, limits) ?? parsed
  return parsed
}

const MAX_BASE64_PARTS = 1000
const BASE64_TEXT = /^[A-Za-z0-9+/=\s]+$/

/**
 * The frames of a gRPC body: bytes as they were sent, or base64, which is the text form of gRPC-Web and what collectors
 * write where text is wanted.
 */
function framesOf({ mediaType, text, bytes }: Content): Buffer | undefined {
  if (bytes !== undefined)
    return mediaType.includes('grpc-web-text') ? ofBase64(bytes.toString('latin1')) : bytes
  return text !== undefined && BASE64_TEXT.test(text) ? ofBase64(text) : undefined
}

/** Frames may be coded one by one: each ends with its own padding. */
function ofBase64(text: string): Buffer {
  const parts: Buffer[] = []
  for (const [part] of text.matchAll(/[^=]+=*/g)) {
    if (parts.push(Buffer.from(part, 'base64')) >= MAX_BASE64_PARTS) break
  }
  return Buffer.concat(parts)
}
