/** The hash of what a message holds; the same that `message-hashes.ts` makes of an exchange that was not read in place. */

import * as memoryOf from './memory'

/** Bytes taken from both ends of a long header value. */
const VALUE_END: usize = 16
const PATH: usize = 1
const REQUEST_PAYLOAD: usize = 4
const RESPONSE_PAYLOAD: usize = 8

let high: u32 = 0
let low: u32 = 0

/** Mixes target, headers and bodies of a message into a hash begun by the caller, which finds it in the state. */
export function hashMessage(index: i32, fromHigh: i32, fromLow: i32): void {
  const numbers = <usize>load<u32>(memoryOf.NUMBERS_AT) + <usize>index * memoryOf.NUMBERS * 4
  high = <u32>fromHigh
  low = <u32>fromLow
  const target = <usize>load<u32>(numbers + PATH * 8)
  const targetEnd = <usize>load<u32>(numbers + PATH * 8, 4)
  mix(target, targetEnd, <u32>(targetEnd - target))
  mixHalf(numbers, memoryOf.REQUEST_HEADERS, REQUEST_PAYLOAD)
  mixHalf(numbers, memoryOf.RESPONSE_HEADERS, RESPONSE_PAYLOAD)
  store<u32>(memoryOf.HIGH, high)
  store<u32>(memoryOf.LOW, low)
}

function mixHalf(numbers: usize, headers: usize, payload: usize): void {
  let at = <usize>load<u32>(numbers + headers * 4)
  const count = load<i32>(numbers + headers * 4, 4)
  for (let i = 0; i < count; i++) {
    const start = <usize>load<u32>(at, 8)
    const end = <usize>load<u32>(at, 12)
    const length = <u32>(end - start)
    if (end - start <= 2 * VALUE_END) mix(start, end, length)
    else {
      mix(start, start + VALUE_END, length)
      mix(end - VALUE_END, end, length)
    }
    at += 16
  }
  const start = <usize>load<u32>(numbers + payload * 8)
  const end = <usize>load<u32>(numbers + payload * 8, 4)
  if (end > start) mix(start, end, <u32>(end - start))
}

/** Bytes from `start` to `end`, part of a text of `length`. */
function mix(start: usize, end: usize, length: u32): void {
  let h = high ^ length
  let l = low + length
  let at = start
  for (; at + 4 <= end; at += 4) {
    const word = load<u32>(at)
    h = (h ^ word) * 0x85ebca6b
    h = rotl<u32>(h, 13)
    l = ((l + word) * 0xc2b2ae35) ^ (l >> 15)
  }
  for (; at < end; at++) {
    const code = <u32>load<u8>(at)
    h = (h ^ code) * 0x85ebca6b
    l = ((l + code) * 0xc2b2ae35) ^ (l >> 15)
  }
  high = h ^ (l >> 13)
  low = l ^ (h >> 16)
}
