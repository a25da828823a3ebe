/** A pattern of `urlTemplatePatterns`: pages that fit it are one page with different contents. */
export interface UrlTemplate {
  readonly text: string
  matches(path: string): boolean
}

/**
 * Reads one pattern: `{name}` and `*` stand for one segment of the path, `**` for any number.
 *
 * @returns the pattern, or what is wrong with it
 */
export function readUrlTemplate(text: string): UrlTemplate | string {
  const path = /^https?:\/\/[^/]*/i.test(text) ? text.replace(/^https?:\/\/[^/]*/i, '') : text
  if (!path.startsWith('/') || text.length > 500) return 'not a path of at most 500 characters'
  const wanted = path.split('/').slice(1)
  if (wanted.length > 30) return 'more than 30 segments'
  if (wanted.filter((segment) => segment === '**').length > 2) return '** more than twice'
  return { text, matches: (candidate) => fits(wanted, 0, candidate.split('/').slice(1), 0) }
}

function fits(wanted: readonly string[], at: number, path: readonly string[], from: number): boolean {
  let place = from
  for (let i = at; i < wanted.length; i++) {
    const segment = wanted[i]!
    if (segment === '**') {
      for (let rest = path.length; rest >= place; rest--) if (fits(wanted, i + 1, path, rest)) return true
      return false
    }
    const actual = path[place++]
    if (actual === undefined) return false
    if (segment === '*' || /^\{[^{}]*\}$/.test(segment)) {
      if (actual === '') return false
    } else if (segment !== actual) return false
  }
  return place === path.length
}
