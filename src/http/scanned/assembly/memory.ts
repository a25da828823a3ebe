/**
 * The memory of the scanner, in this order: constants of the compiler, the state that the caller reads, the keys of the
 * latest message, the leaves of the body read last, the shapes of known bodies, the bytes given, the texts, the numbers of
 * the messages, the places of their headers. Sizes of what follows the shapes are those of the longest batch so far.
 */

/** The caller reads these; their order is that of STATE in `batch-scanner.ts`. */
export const STATE: usize = 65536
export const GIVEN_AT: usize = STATE
export const TEXTS_AT: usize = STATE + 4
export const NUMBERS_AT: usize = STATE + 8
export const HEADERS_AT: usize = STATE + 12
export const COUNT: usize = STATE + 16
export const HAS_COLLECTION: usize = STATE + 20
export const COLLECTION: usize = STATE + 24
export const HAS_CODED: usize = STATE + 28
export const HIGH: usize = STATE + 32
export const LOW: usize = STATE + 36
export const MET_COUNT: usize = STATE + 40

/** Keys of the latest message in their order: field, length, bytes. */
export const ORDER: usize = STATE + 1024
export const ORDER_SIZE: usize = 64
export const MAX_ORDER: i32 = 64
export const MAX_KEY: usize = 48

/** Leaves of the body read last, their numbers that are asked for, and the sensitive ones that were met; `body-shapes.ts` has the same. */
export const MAX_LEAVES: i32 = 5000
export const LEAVES: usize = STATE + 16384
export const ASKED: usize = LEAVES + 5000 * 16
export const MET: usize = ASKED + 5000 * 4
/** Keys of known bodies; pages that nobody wrote to cost nothing. */
export const SHAPES: usize = STATE + 131072
export const SHAPES_SIZE: usize = 16777216

const FIRST: usize = SHAPES + SHAPES_SIZE
/** Bytes behind each part that may be read or written beside it. */
const SLACK: usize = 64
const PAGE: usize = 65536

/**
 * Numbers of a message: start and end of each field, its own start and end, whether it is plain, its headers twice (where
 * they stand, how many there are, whether their names are those of the message before), its sign.
 */
export const FIELDS: i32 = 18
export const MESSAGE_START: usize = 36
export const MESSAGE_END: usize = 37
export const IS_PLAIN: usize = 38
export const REQUEST_HEADERS: usize = 39
export const RESPONSE_HEADERS: usize = 42
export const HAS_SIGN: usize = 45
export const NUMBERS: usize = 46
/** Bytes of the shortest message that is read: a batch of `bytes` holds no more than one for each of them. */
const SHORTEST: usize = 64
export const MAX_MESSAGES: i32 = 10000
/** Bytes of the shortest header, as it stands escaped in a message. */
const SHORTEST_HEADER: usize = 11

let capacity: usize = 0
export let maxNumbers: i32 = 0
export let headersEnd: usize = 0

/** Makes room for a batch and returns where its bytes go. */
export function reserve(bytes: i32): usize {
  const size = <usize>bytes
  if (size > capacity) {
    capacity = (size + SLACK + 65535) & ~(<usize>65535)
    const given = FIRST
    const texts = given + capacity + SLACK
    const numbers = texts + capacity + SLACK
    let messages = capacity / SHORTEST
    if (messages > <usize>MAX_MESSAGES) messages = <usize>MAX_MESSAGES
    maxNumbers = <i32>messages
    const headers = numbers + messages * NUMBERS * 4
    headersEnd = headers + (capacity / SHORTEST_HEADER) * 16
    const pages = <i32>((headersEnd + SLACK + PAGE - 1) / PAGE)
    const missing = pages - memory.size()
    if (missing > 0 && memory.grow(missing) < 0) {
      capacity = 0
      return 0
    }
    store<u32>(GIVEN_AT, <u32>given)
    store<u32>(TEXTS_AT, <u32>texts)
    store<u32>(NUMBERS_AT, <u32>numbers)
    store<u32>(HEADERS_AT, <u32>headers)
  }
  return FIRST
}
