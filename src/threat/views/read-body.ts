import type { HeaderList } from '../../http/index.ts'
import { bodyBytes, decodeContentEncoding, headerValue, mediaTypeOf } from '../../http/index.ts'
import { CHAR, flagsOf } from './char-flags.ts'
import { decodeCharset, hidingCharset } from './decode-charset.ts'
import type { QuietBody, ScannedSide } from './known-headers.ts'
import type { Place } from './leaf.ts'
import { TRUNCATION } from './leaf.ts'
import type { LeafStore } from './leaf-store.ts'
import { indexOfUnit, readForm, readPart } from './read-form.ts'
import { readJson } from './read-json.ts'
import { readMultipart } from './read-multipart.ts'
import { addOperations } from './read-operations.ts'
import { readXml } from './read-xml.ts'

/** Texts up to this length are looked at as a whole where their structure is broken. */
const MAX_BROKEN = 4_096
/** Base64 that is turned into bytes: what it decodes to is cut to the budget anyway. */
const MAX_BASE64 = 1_048_576

/** Places of a body of one side. */
interface BodyPlaces {
  readonly raw: Place
  readonly key: Place
  readonly value: Place
  readonly fileName: Place
}

interface Message {
  readonly headers: HeaderList
  readonly body: string
  readonly bodyIsBase64?: boolean
}

/**
 * Writes a body and adds its leaves, by its content type and by what it looks like: JSON, form, multipart, XML, else the
 * text as one. Of a long body the head and the tail are read.
 */
export function readBody(
  store: LeafStore,
  message: Message,
  places: BodyPlaces,
  wantsRaw: boolean,
  wantsLeaves: boolean,
): void {
  if (message.body === '') return
  const contentType = headerValue(message.headers, 'content-type') ?? ''
  const text = bodyTextOf(message, contentType)
  const { headUnits, tailUnits } = store.budget
  const isCut = text.length > headUnits + tailUnits
  const head = isCut ? text.slice(0, headUnits) : text
  const start = store.write(head)
  const end = store.used
  if (wantsRaw) store.add(start, end, places.raw, -1, 0)
  if (wantsLeaves) readStructure(store, head, start, end, contentType, places)
  if (!isCut) return
  store.truncated |= TRUNCATION.BODY
  const tail = store.write(text, text.length - tailUnits)
  if (wantsRaw) store.add(tail, store.used, places.raw, -1, 0)
  if (wantsLeaves) readTail(store, tail, store.used, contentType, places)
}

/**
 * {@link readBody} of a message that was read in place: its text is written without building it. JSON in which nothing is
 * to be found is left out.
 */
export function readScannedBody(
  store: LeafStore,
  side: ScannedSide,
  places: BodyPlaces,
  wants: { readonly raw: boolean; readonly leaves: boolean; readonly quiet: QuietBody | null },
): void {
  if (!side.hasBody) return
  const contentType = side.header('content-type')
  const { headUnits, tailUnits } = store.budget
  const isPlain = side.bodyLength <= headUnits + tailUnits && hidingCharset(contentType) === null
  const start = isPlain ? side.writeBody(store) : -1
  if (start < 0) {
    readBody(store, side, places, wants.raw, wants.leaves)
    return
  }
  const end = store.used
  const { quiet } = wants
  if (quiet !== null && isObject(store, start, contentType) && quiet.holdsIn(store.units, start, end)) {
    store.used = start
    return
  }
  if (wants.raw) store.add(start, end, places.raw, -1, 0)
  if (wants.leaves) readStructure(store, null, start, end, contentType, places)
}

/** A JSON object by its type and its start: its leaves are runs of its text. Those of lists may be put side by side. */
function isObject(store: LeafStore, start: number, contentType: string): boolean {
  return store.units[start] === 123 && mediaTypeOf(contentType).endsWith('json')
}

/** The body as text: content codings undone, in the charset it declares; bytes that are not text one unit each. */
function bodyTextOf(message: Message, contentType: string): string {
  if (!message.bodyIsBase64) return decodeCharset(message.body, contentType)
  const bytes = bodyBytes({ body: message.body.slice(0, MAX_BASE64), bodyIsBase64: true })
  const encoding = headerValue(message.headers, 'content-encoding') ?? ''
  const plain = decodeContentEncoding(bytes, encoding, MAX_BASE64).bytes
  return decodeCharset(Buffer.from(plain.buffer, plain.byteOffset, plain.length), contentType)
}

/** @param text null where it is read from the store when it is needed */
function readStructure(
  store: LeafStore,
  text: string | null,
  start: number,
  end: number,
  contentType: string,
  places: BodyPlaces,
): void {
  const { units } = store
  const type = mediaTypeOf(contentType)
  let first = start
  while (first < end && (units[first]! <= 32 || units[first] === 0xfeff)) first++
  const unit = units[first]
  if (type.startsWith('multipart/') || (unit === 45 && units[first + 1] === 45)) {
    if (readMultipart(store, text ?? store.slice(start, end), start, contentType, places)) return
  }
  const isForm = type === 'application/x-www-form-urlencoded'
  if (unit === 123 || unit === 91 || unit === 34 || type.endsWith('json')) {
    readJsonBody(store, first, end, places)
    if (!isForm) return
  }
  if (unit === 60 && !isPage(store, first, end)) {
    readXml(store, first, end, places.key, places.value)
    return
  }
  if (isForm || looksLikeForm(store, first, end)) readForm(store, first, end, places.key, places.value)
  else store.add(first, end, places.value, -1)
}

function readJsonBody(store: LeafStore, start: number, end: number, places: BodyPlaces): void {
  const sink = { key: places.key, value: places.value, parent: -1, view: 0, around: -1 }
  const first = store.count
  const sound = readJson(store, start, end, sink)
  if (sound < end) store.add(end - start <= MAX_BROKEN ? start : sound, end, places.value, -1)
  if (store.units[start] === 91) addOperations(store, first, places.value)
}

/** A page of HTML is one text: taken apart, each of its tags would look like markup in a value. */
function isPage(store: LeafStore, start: number, end: number): boolean {
  return /^<(?:!doctype\s+html|html)[\s>]/i.test(store.slice(start, Math.min(end, start + 16)))
}

/** `name=value` without white space before the first `=`. */
function looksLikeForm(store: LeafStore, start: number, end: number): boolean {
  const equals = indexOfUnit(store.units, 61, start, Math.min(end, start + 200))
  if (equals >= Math.min(end, start + 200) || equals === start) return false
  return (flagsOf(store.units, start, equals) & (CHAR.SPACE | CHAR.BREAK | CHAR.CONTROL)) === 0
}

/** The end of a long body: its structure is unknown, so its text is one leaf. */
function readTail(
  store: LeafStore,
  start: number,
  end: number,
  contentType: string,
  places: BodyPlaces,
): void {
  if (mediaTypeOf(contentType) === 'application/x-www-form-urlencoded')
    readPart(store, start, end, places.value, -1)
  else store.add(start, end, places.value, -1)
}
