import type { CrawlScope } from '../scope/crawl-scope.ts'

/**
 * Path template of a segment: numbers, identifiers, dates and long mixed words stand for a parameter.
 */
export function segmentTemplate(segment: string): string {
  if (/^-?\d+$/.test(segment)) return '{int}'
  if (/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(segment)) return '{uuid}'
  if (/^\d{4}-\d{1,2}(-\d{1,2})?$/.test(segment)) return '{date}'
  if (/^[0-9a-f]{8,}$/i.test(segment) && /\d/.test(segment)) return '{hex}'
  if (/^[0-9A-HJKMNP-TV-Z]{26}$/.test(segment)) return '{ulid}'
  // Words joined by hyphens are a name, however long.
  if (
    /^[A-Za-z0-9_~-]{20,}$/.test(segment) &&
    /\d/.test(segment) &&
    !/^[a-z0-9]+(?:-[a-z0-9]+)+$/.test(segment)
  ) {
    return '{token}'
  }
  return segment.length > 80 ? '{long}' : segment
}

/** Path template of a path: `/users/{int}/posts`. */
export function pathTemplate(path: string): string {
  return path
    .split('/')
    .slice(0, 40)
    .map((segment) => segmentTemplate(segment))
    .join('/')
}

/**
 * Where a page is, as far as clustering goes: origin, path template or operator's template, sorted names of the query,
 * and the template of a route in the fragment.
 */
export function locationKey(url: URL, scope: CrawlScope): string {
  const own = scope.templateOf(url)
  if (own !== null) return `${url.origin}${own}`
  const names = [...new Set(url.searchParams.keys())].sort().slice(0, 20).join('&')
  const route = routeTemplate(url.hash)
  return `${url.origin}${pathTemplate(url.pathname)}${names ? `?${names}` : ''}${route}`.slice(0, 1000)
}

/** Whether a fragment is a route of the application (`#/x`, `#!x`) and not a place on the page. */
export function isRouteHash(hash: string): boolean {
  return /^#(?:!|\/)/.test(hash)
}

function routeTemplate(hash: string): string {
  if (!isRouteHash(hash)) return ''
  const [path = '', query = ''] = hash.slice(1).split('?')
  const names = [...new URLSearchParams(query).keys()].sort().slice(0, 20).join('&')
  return `#${pathTemplate(path)}${names ? `?${names}` : ''}`
}

/** Kind of a request: method, path template and names of the query. The unit in which finds are counted. */
export function requestKind(method: string, url: URL): string {
  const names = [...new Set(url.searchParams.keys())].sort().slice(0, 20).join('&')
  return `${method} ${url.host}${pathTemplate(url.pathname)}${names ? `?${names}` : ''}`.slice(0, 1000)
}

/** The URL without what makes no difference to a page: plain fragments are dropped, routes in them kept. */
export function pageUrl(url: URL): string {
  if (isRouteHash(url.hash)) return url.href
  const copy = new URL(url.href)
  copy.hash = ''
  return copy.href
}

/** A URL without its query, and without the one in a route of the fragment: applications write filters there. */
export function withoutQuery(url: string): string {
  return url.replace(/\?[^#]*/g, '')
}

/** Static files, which are neither pages nor endpoints. */
export function isStaticFile(url: URL): boolean {
  return /\.(?:css|m?js|map|png|jpe?g|gif|svg|ico|webp|avif|bmp|woff2?|ttf|otf|eot|mp[34]|webm|ogg|wav|avi|mov|wasm|vtt)$/i.test(
    url.pathname,
  )
}

/** Files that a browser would download instead of showing. */
export function isDownload(url: URL): boolean {
  return /\.(?:zip|gz|tgz|tar|rar|7z|exe|dmg|msi|deb|rpm|apk|iso|bin|docx?|xlsx?|pptx?)$/i.test(url.pathname)
}
