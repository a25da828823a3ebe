import { storable } from '../../kit/index.ts'

/** Longest URL of an event in bytes of UTF-8; the whole one is in its message. A key of an index has to hold it. */
const MAX_EVENT_URL = 2_000
/** Longest path of an endpoint under attack, likewise. */
const MAX_API_PATH = 1_000
const MAX_ACTOR = 200
const MAX_HOST = 255
const MAX_METHOD = 32
const MAX_WORD = 200

/** The start of a text, no longer than this many bytes of UTF-8, never half a character. */
function cutBytes(text: string, bytes: number): string {
  if (text.length * 3 <= bytes) return text
  const encoded = Buffer.from(text)
  if (encoded.length <= bytes) return text
  let end = bytes
  while (end > 0 && (encoded[end]! & 0xc0) === 0x80) end--
  return encoded.toString('utf8', 0, end)
}

/** URL of an event as it is stored and compared. */
export function eventUrl(url: string): string {
  return cutBytes(storable(url), MAX_EVENT_URL)
}

/** The path of a request target, without query and fragment, without scheme and authority. */
export function apiPath(url: string): string {
  const text = storable(url)
  const end = text.search(/[?#]/)
  const bare = end < 0 ? text : text.slice(0, end)
  const authority = /^[a-z][a-z0-9+.-]{0,20}:\/\/[^/]*/i.exec(bare)
  const path = authority === null ? bare : bare.slice(authority[0].length)
  return cutBytes(path === '' ? '/' : path, MAX_API_PATH)
}

/** Name of an actor as it is stored and compared. */
export function actorText(actor: string): string {
  return cutBytes(storable(actor).trim(), MAX_ACTOR)
}

/** Host of an event as it is stored and compared. */
export function hostText(host: string): string {
  return cutBytes(storable(host).trim().toLowerCase(), MAX_HOST)
}

/** Method of an event. */
export function methodText(method: string): string {
  return cutBytes(storable(method), MAX_METHOD)
}

/** A word of a filter: an id, a category. */
export function wordText(word: string): string {
  return cutBytes(storable(word), MAX_WORD)
}
