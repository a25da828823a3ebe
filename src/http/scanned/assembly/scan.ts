/** Reads the usual form of a live batch in place; see `batch-scanner.ts`, which calls it. */

import { areNamesSame, beginHeaders, next, splitHeaders } from './headers'
import * as memoryOf from './memory'
import * as keyOf from './shape-keys'
import { holdsSign } from './signs'
import { beginTexts, blanks, closeText, hasCoded, moveTo, readText, to } from './texts'

export { learnBody } from './bodies'
export { hashMessage } from './hash'
export { reserve } from './memory'

const QUOTE: u8 = 34
const COMMA: u8 = 44
const MINUS: u8 = 45
const ZERO: u8 = 48
const NINE: u8 = 57
const COLON: u8 = 58
const OPEN_LIST: u8 = 91
const BACKSLASH: u8 = 92
const CLOSE_LIST: u8 = 93
const OPEN_OBJECT: u8 = 123
const CLOSE_OBJECT: u8 = 125

const IGNORED: i32 = -1
const OTHERS: i32 = -2
/** Longer header text is read the general way. */
const MAX_HEADER_BYTES: usize = 65536

const REQUEST_HEADER_TEXT: i32 = 3
const REQUEST_PAYLOAD: usize = 4
const STATUS_CODE: i32 = 5
const RESPONSE_HEADER_TEXT: i32 = 7
const TIME: i32 = 11
const DIRECTION: i32 = 13
const VXLAN_ID: i32 = 14
const DURATION: i32 = 17

let end: usize = 0
let count: i32 = 0
let keysKnown: i32 = 0

/** Numbers that are kept of a message, and words of a key: who was built beside another module finds out by them. */
export function numbersOfMessage(): i32 {
  return <i32>memoryOf.NUMBERS
}
export function wordsOfKey(): i32 {
  return keyOf.WORDS
}

/**
 * Reads a batch of this many bytes, which stand where {@link reserve} said.
 *
 * @returns 1 when it was read; 0 when it must be read the general way
 */
export function scan(bytes: i32): i32 {
  const given = <usize>load<u32>(memoryOf.GIVEN_AT)
  end = given + <usize>bytes
  // What is read stops at zeros, so that no loop has to ask for the end.
  memory.fill(end, 0, 64)
  count = 0
  store<i32>(memoryOf.HAS_COLLECTION, 0)
  beginTexts(<usize>load<u32>(memoryOf.TEXTS_AT))
  beginHeaders(<usize>load<u32>(memoryOf.HEADERS_AT))
  const at = batch(given)
  store<i32>(memoryOf.COUNT, count)
  store<i32>(memoryOf.HAS_CODED, hasCoded ? 1 : 0)
  return at !== 0 && blanks(at) === end ? 1 : 0
}

/** Like all that follow it returns the position behind what it read, or 0. */
function batch(from: usize): usize {
  let at = blanks(from)
  if (load<u8>(at) === OPEN_LIST) return messages(at + 1)
  if (load<u8>(at) !== OPEN_OBJECT) return 0
  at = blanks(at + 1)
  if (!stands(at, '"batchData"')) return 0
  at = blanks(at + 11)
  if (load<u8>(at) !== COLON) return 0
  at = blanks(at + 1)
  if (load<u8>(at) !== OPEN_LIST) return 0
  at = messages(at + 1)
  return at === 0 ? 0 : rest(at)
}

/** What follows the messages: nothing, or the collection they are for. */
function rest(from: usize): usize {
  let at = blanks(from)
  if (load<u8>(at) === CLOSE_OBJECT) return at + 1
  if (load<u8>(at) !== COMMA) return 0
  at = blanks(at + 1)
  if (!stands(at, '"apiCollectionId"')) return 0
  at = blanks(at + 17)
  if (load<u8>(at) !== COLON) return 0
  at = blanks(at + 1)
  const stop = integer(at)
  if (stop === 0 || stop - at > 11) return 0
  const isNegative = load<u8>(at) === MINUS
  let id: i64 = 0
  for (let i = isNegative ? at + 1 : at; i < stop; i++) id = id * 10 + <i64>(load<u8>(i) - ZERO)
  if (id > 2147483647) return 0
  store<i32>(memoryOf.HAS_COLLECTION, 1)
  store<i32>(memoryOf.COLLECTION, <i32>(isNegative ? -id : id))
  at = blanks(stop)
  return load<u8>(at) === CLOSE_OBJECT ? at + 1 : 0
}

function messages(from: usize): usize {
  let at = blanks(from)
  if (load<u8>(at) === CLOSE_LIST) return at + 1
  while (true) {
    if (load<u8>(at) !== OPEN_OBJECT || count >= memoryOf.maxNumbers) return 0
    at = message(at)
    if (at === 0) return 0
    at = blanks(at)
    const code = load<u8>(at)
    if (code === CLOSE_LIST) return at + 1
    if (code !== COMMA) return 0
    at = blanks(at + 1)
  }
}

function message(from: usize): usize {
  const numbers = <usize>load<u32>(memoryOf.NUMBERS_AT) + <usize>count * memoryOf.NUMBERS * 4
  memory.fill(numbers, 0, memoryOf.NUMBERS * 4)
  store<i32>(numbers + memoryOf.IS_PLAIN * 4, 1)
  let at = blanks(from + 1)
  if (load<u8>(at) !== CLOSE_OBJECT) {
    let position: i32 = 0
    while (true) {
      if (load<u8>(at) !== QUOTE) return 0
      const stop = keyEnd(at + 1)
      if (stop === 0) return 0
      const field = fieldOf(position, at + 1, stop)
      at = blanks(stop + 1)
      if (load<u8>(at) !== COLON) return 0
      at = value(numbers, field, blanks(at + 1))
      if (at === 0) return 0
      at = blanks(at)
      const code = load<u8>(at)
      if (code === CLOSE_OBJECT) break
      if (code !== COMMA) return 0
      at = blanks(at + 1)
      position++
    }
  }
  store<u32>(numbers + memoryOf.MESSAGE_START * 4, <u32>from)
  store<u32>(numbers + memoryOf.MESSAGE_END * 4, <u32>(at + 1))
  noteHeaders(numbers, REQUEST_HEADER_TEXT, memoryOf.REQUEST_HEADERS)
  noteHeaders(numbers, RESPONSE_HEADER_TEXT, memoryOf.RESPONSE_HEADERS)
  const body = numbers + REQUEST_PAYLOAD * 8
  const hasSign = holdsSign(<usize>load<u32>(body), <usize>load<u32>(body, 4))
  store<i32>(numbers + memoryOf.HAS_SIGN * 4, hasSign ? 1 : 0)
  count++
  return at + 1
}

/**
 * Notes where the places of a message's headers begin, how many there are (-1: they are read the general way), and whether
 * they have the names of those of the message before.
 */
function noteHeaders(numbers: usize, field: i32, slot: usize): void {
  const start = <usize>load<u32>(numbers + <usize>field * 8)
  const stop = <usize>load<u32>(numbers + <usize>field * 8, 4)
  const place = numbers + slot * 4
  store<u32>(place, <u32>next)
  const headers = stop - start > MAX_HEADER_BYTES ? -1 : splitHeaders(start, stop)
  store<i32>(place, headers, 4)
  if (count === 0 || headers <= 0) return
  const before = place - memoryOf.NUMBERS * 4
  if (load<i32>(before, 4) !== headers) return
  const isSame = areNamesSame(<usize>load<u32>(place), <usize>load<u32>(before), headers)
  store<i32>(place, isSame ? 1 : 0, 8)
}

/** Position of the quote behind a key; 0 for keys with escapes. */
function keyEnd(from: usize): usize {
  let at = from
  while (true) {
    const code = load<u8>(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH || code < 32) return 0
    at++
  }
}

/** The field that a key names: messages of one sender have their keys in the same order nearly always. */
function fieldOf(position: i32, start: usize, stop: usize): i32 {
  const length = stop - start
  const slot = memoryOf.ORDER + <usize>position * memoryOf.ORDER_SIZE
  if (position < keysKnown && <usize>load<u32>(slot, 4) === length) {
    let i: usize = 0
    while (i < length && load<u8>(start + i) === load<u8>(slot + i, 8)) i++
    if (i === length) return load<i32>(slot)
  }
  const field = fieldNamed(start, length)
  if (position <= keysKnown && position < memoryOf.MAX_ORDER && length <= memoryOf.MAX_KEY) {
    store<i32>(slot, field)
    store<u32>(slot, <u32>length, 4)
    memory.copy(slot + 8, start, length)
    if (position === keysKnown) keysKnown++
  }
  return field
}

function fieldNamed(at: usize, length: usize): i32 {
  for (let i = 0; i < FIELD_NAMES.length; i++) {
    if (<usize>unchecked(FIELD_NAMES[i]).length === length && stands(at, unchecked(FIELD_NAMES[i]))) return i
  }
  for (let i = 0; i < OTHER_NAMES.length; i++) {
    if (<usize>unchecked(OTHER_NAMES[i]).length === length && stands(at, unchecked(OTHER_NAMES[i])))
      return OTHERS
  }
  return IGNORED
}

/** By their numbers. */
const FIELD_NAMES: StaticArray<string> = [
  'method',
  'path',
  'type',
  'requestHeaders',
  'requestPayload',
  'statusCode',
  'status',
  'responseHeaders',
  'responsePayload',
  'ip',
  'destIp',
  'time',
  'source',
  'direction',
  'akto_vxlan_id',
  'is_pending',
  'tag',
  'durationMs',
]
/** Fields that the general reader looks at beside those: a message that has one is left to it. */
const OTHER_NAMES: StaticArray<string> = [
  'request',
  'response',
  'url',
  'requestBody',
  'responseBody',
  'responseCode',
  'bodyEncoding',
  'requestBodyEncoding',
  'responseBodyEncoding',
  'id',
  'route',
  'http.route',
  'tags',
  'durationSeconds',
]

function value(numbers: usize, field: i32, at: usize): usize {
  const code = load<u8>(at)
  const start = to
  let stop: usize
  if (code === QUOTE) stop = readText(at + 1)
  else if (code === 110) return stands(at, 'null') ? at + 4 : 0
  else if (code === 116 || code === 102) {
    leaveToOthers(numbers)
    if (code === 116) return stands(at, 'true') ? at + 4 : 0
    return stands(at, 'false') ? at + 5 : 0
  } else stop = number(numbers, field, at)
  if (stop === 0 || field === IGNORED) {
    moveTo(start)
    return stop
  }
  const slot = numbers + <usize>field * 8
  // Two of a name: the last one counts, which is for the general reader to see to.
  if (field === OTHERS || load<u32>(slot) !== 0) leaveToOthers(numbers)
  else {
    store<u32>(slot, <u32>start)
    store<u32>(slot, <u32>to, 4)
  }
  closeText()
  return stop
}

function leaveToOthers(numbers: usize): void {
  store<i32>(numbers + memoryOf.IS_PLAIN * 4, 0)
}

/** A number is taken where its digits say the same as text; others are left to the general reader. */
function number(numbers: usize, field: i32, start: usize): usize {
  const stop = integer(start)
  if (stop === 0) return 0
  const isNumeric =
    field === STATUS_CODE || field === TIME || field === DIRECTION || field === VXLAN_ID || field === DURATION
  if (!isNumeric && field !== IGNORED) leaveToOthers(numbers)
  const length = stop - start
  memory.copy(to, start, length)
  moveTo(to + length)
  return stop
}

/** A whole number without exponent; any other number is not for this reader. */
function integer(start: usize): usize {
  const whole = load<u8>(start) === MINUS ? start + 1 : start
  let at = whole
  while (load<u8>(at) >= ZERO && load<u8>(at) <= NINE) at++
  if (at === whole || (load<u8>(whole) === ZERO && at > whole + 1)) return 0
  const code = load<u8>(at)
  return code === COMMA || code === CLOSE_OBJECT || blanks(at) > at ? at : 0
}

/** An ASCII word stands at a position. */
function stands(at: usize, word: string): bool {
  for (let i = 0; i < word.length; i++) if (<i32>load<u8>(at + i) !== word.charCodeAt(i)) return false
  return true
}
