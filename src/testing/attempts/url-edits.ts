import { replaceHeader } from './header-edits.ts'
import type { RequestDraft } from './request-draft.ts'

const ABSOLUTE = /^[a-z][a-z0-9+.-]*:\/\//i

/** A URL in its parts: scheme with authority ('' for a bare path), and the path. */
interface UrlParts {
  readonly origin: string
  readonly path: string
}

/** Splits an absolute URL or a path, without judging either. */
export function urlParts(url: string): UrlParts {
  const scheme = ABSOLUTE.exec(url)?.[0]
  if (scheme === undefined) return { origin: '', path: url }
  const start = url.indexOf('/', scheme.length)
  return start < 0 ? { origin: url, path: '' } : { origin: url.slice(0, start), path: url.slice(start) }
}

/**
 * Puts a new URL into a draft: absolute, or a path at the same origin. A query in the text comes before the query that
 * the request has. A Host header that names the old origin follows.
 */
export function setUrl(draft: RequestDraft, text: string): void {
  const mark = text.indexOf('?')
  const address = mark < 0 ? text : text.slice(0, mark)
  if (mark >= 0) {
    const query = text.slice(mark + 1)
    draft.query = draft.query === '' ? query : `${query}&${draft.query}`
  }
  if (ABSOLUTE.test(address)) {
    const [before, after] = [authorityOf(draft.url), authorityOf(address)]
    draft.url = address
    if (after !== before) replaceHeader(draft, 'host', (host) => (host === before ? after : host))
  } else draft.url = `${urlParts(draft.url).origin}${address.startsWith('/') ? '' : '/'}${address}`
}

function authorityOf(url: string): string {
  const { origin } = urlParts(url)
  return origin.slice(origin.indexOf('://') + 3)
}

/**
 * Replaces segment number `location` of a path, from 1; beyond the end the path is padded with empty segments. The URL
 * itself for a location below 1.
 */
export function replaceSegment(url: string, location: number, text: string): string {
  return editSegments(url, location, (segments) => {
    segments[location - 1] = text
  })
}

/** Inserts a segment before number `location`, from 1; one more than there are appends. */
export function insertSegment(url: string, location: number, text: string): string {
  return editSegments(url, location, (segments) => segments.splice(location - 1, 0, text))
}

/** Most segments that padding may lead to. */
const MAX_SEGMENTS = 200

function editSegments(url: string, location: number, edit: (segments: string[]) => unknown): string {
  if (!Number.isInteger(location) || location < 1 || location > MAX_SEGMENTS) return url
  const { origin, path } = urlParts(url)
  const endsOpen = path.length > 1 && path.endsWith('/')
  const inner = path.replace(/^\//, '')
  const segments = inner === '' ? [] : (endsOpen ? inner.slice(0, -1) : inner).split('/')
  while (segments.length < location - 1) segments.push('')
  edit(segments)
  return `${withoutDefaultPort(origin)}/${segments.join('/')}${endsOpen ? '/' : ''}`
}

function withoutDefaultPort(origin: string): string {
  if (/^http:/i.test(origin)) return origin.replace(/:80$/, '')
  return /^https:/i.test(origin) ? origin.replace(/:443$/, '') : origin
}
