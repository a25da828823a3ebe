import { shortPattern } from '../../kit/short-pattern.ts'
import { matchesGlob } from './glob.ts'

/** Longest entry that is taken. */
const MAX_SCOPE_ENTRY = 500

/** A rule of `outscopeUrls`. */
export interface OutscopeRule {
  readonly text: string
  /** @param path path, or route in the fragment; @param url whole URL */
  matches(path: string, url: string): boolean
}

/**
 * Reads one entry: `/…` is a path prefix that ends at a segment, `*` in it anything; `http…` a pattern for the whole URL
 * with `*`; `re:…` a regular expression looked for in the whole URL, which also leaves out URLs too long for it.
 *
 * @returns the rule, or what is wrong with the entry
 */
export function readOutscopeRule(text: string): OutscopeRule | string {
  if (text.length > MAX_SCOPE_ENTRY) return `longer than ${MAX_SCOPE_ENTRY} characters`
  if (text.startsWith('/')) return { text, matches: (path) => matchesPrefix(text, path) }
  if (/^https?:\/\//i.test(text)) {
    return { text, matches: (_, url) => matchesGlob(text, url) || matchesGlob(text, withoutQuery(url)) }
  }
  if (text.startsWith('re:')) {
    try {
      const pattern = shortPattern(text.slice(3))
      return { text, matches: (_, url) => pattern.isTooLong(url) || pattern.test(url) }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      return String.raw`not a regular expression: ${reason}; commas separate entries, write \x2c for one within`
    }
  }
  return 'neither a path, nor a URL, nor re: and a regular expression'
}

function matchesPrefix(prefix: string, path: string): boolean {
  const bare = prefix.length > 1 && prefix.endsWith('/') ? prefix.slice(0, -1) : prefix
  if (!prefix.includes('*')) return path === bare || path.startsWith(bare === '/' ? '/' : `${bare}/`)
  return matchesGlob(bare, path) || matchesGlob(`${bare}/*`, path)
}

function withoutQuery(url: string): string {
  const end = url.search(/[?#]/)
  return end < 0 ? url : url.slice(0, end)
}
