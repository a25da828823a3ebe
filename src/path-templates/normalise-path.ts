import { keyedSegment } from './keyed-segment.ts'

/** A path brought to its one spelling (RFC 3986 section 6.2.2), with what was split off. The raw target is kept elsewhere. */
interface NormalPath {
  /** Starts with a slash, no query, no trailing slash, no dot segments. */
  path: string
  /** Without the question mark; '' when there is none. */
  query: string
  /** Parameters within segments, in order: matrix parameters (`;name=value`) and keys in parentheses (`Orders(5)`). */
  matrix: readonly { segment: number; name: string; value: string }[]
  flags: NormalPathFlags
}

interface NormalPathFlags {
  /** `.` or `..` segments were removed: a mismatch between readers of a path is a security signal. */
  hadDotSegments: boolean
  hadRepeatedSlashes: boolean
  hadTrailingSlash: boolean
}

const ABSOLUTE = /^[A-Za-z][A-Za-z0-9+.-]{0,15}:\/\/[^/?#]*/
const MAX_MATRIX = 64
/** Segments beyond this are joined into the last one: no real template is deeper. */
const MAX_SEGMENTS = 32
const NO_MATRIX: readonly { segment: number; name: string; value: string }[] = []
const NO_FLAGS: NormalPathFlags = {
  hadDotSegments: false,
  hadRepeatedSlashes: false,
  hadTrailingSlash: false,
}
/** Signs that ask for a closer look; a path without them only has its end checked. */
const UNUSUAL = /[^!-~]|[%;(]|\/\/|\/\.\.?(?:\/|$)/

/** Normalises a request target: absolute URL, origin form with or without query, or `*`. */
export function normalisePath(target: string): NormalPath {
  let rest = target.charCodeAt(0) === 47 ? target : target.replace(ABSOLUTE, '')
  const hash = rest.indexOf('#')
  if (hash >= 0) rest = rest.slice(0, hash)
  const question = rest.indexOf('?')
  const query = question < 0 ? '' : rest.slice(question + 1)
  if (question >= 0) rest = rest.slice(0, question)
  if (rest === '' || rest === '/') return { path: '/', query, matrix: NO_MATRIX, flags: NO_FLAGS }
  if (rest.charCodeAt(0) !== 47) rest = `/${rest}`
  if (!UNUSUAL.test(rest)) return plainPath(rest, query)
  return unusualPath(rest, query)
}

function plainPath(rest: string, query: string): NormalPath {
  const hadTrailingSlash = rest.charCodeAt(rest.length - 1) === 47
  const cut = hadTrailingSlash ? rest.slice(0, -1) : rest
  return {
    path: limitSegments(cut),
    query,
    matrix: NO_MATRIX,
    flags: hadTrailingSlash ? { ...NO_FLAGS, hadTrailingSlash } : NO_FLAGS,
  }
}

function unusualPath(rest: string, query: string): NormalPath {
  const matrix: { segment: number; name: string; value: string }[] = []
  const segments: string[] = []
  const flags = { hadDotSegments: false, hadRepeatedSlashes: false, hadTrailingSlash: false }
  const raw = rest.slice(1).split('/')
  for (const [i, text] of raw.entries()) {
    if (text === '') {
      if (i === raw.length - 1) flags.hadTrailingSlash = true
      else flags.hadRepeatedSlashes = true
      continue
    }
    const [bare, ...parameters] = text.split(';')
    const plain = encodeUnsendable(decodeUnreserved(bare!))
    const keyed = keyedSegment(plain)
    const segment = keyed?.text ?? plain
    if (segment === '.' || segment === '..') {
      flags.hadDotSegments = true
      if (segment === '..') {
        segments.pop()
        while (matrix.length > 0 && matrix.at(-1)!.segment >= segments.length) matrix.pop()
      }
      continue
    }
    for (const { name, value } of keyed?.keys ?? []) {
      if (matrix.length < MAX_MATRIX) matrix.push({ segment: segments.length, name, value })
    }
    for (const parameter of parameters) {
      if (matrix.length >= MAX_MATRIX || parameter === '') continue
      const equals = parameter.indexOf('=')
      const name = equals < 0 ? parameter : parameter.slice(0, equals)
      matrix.push({ segment: segments.length, name, value: equals < 0 ? '' : parameter.slice(equals + 1) })
    }
    if (segment !== '') segments.push(segment)
  }
  return { path: limitSegments(`/${segments.join('/')}`), query, matrix, flags }
}

function limitSegments(path: string): string {
  let slash = 0
  for (let count = 0; count < MAX_SEGMENTS; count++) {
    slash = path.indexOf('/', slash + 1)
    if (slash < 0) return path
  }
  return path.slice(0, slash) + path.slice(slash).replaceAll('/', '%2F')
}

const UNSENDABLE = /[^!-~]+/g

/** Blanks and letters beyond ASCII as clients send them (RFC 3987 section 3.1); files often hold them as people write. */
function encodeUnsendable(text: string): string {
  return text.replace(UNSENDABLE, (raw) => encodeURIComponent(raw.toWellFormed()))
}

const UNRESERVED = /[A-Za-z0-9._~-]/

/** Decodes `%41` but not `%2F`; writes the other escapes in upper case. */
function decodeUnreserved(text: string): string {
  if (!text.includes('%')) return text
  return text.replace(/%[0-9A-Fa-f]{2}/g, (encoded) => {
    const sign = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
    return UNRESERVED.test(sign) ? sign : encoded.toUpperCase()
  })
}
