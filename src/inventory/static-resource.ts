import type { LiveExchange } from '../http/index.ts'
import { mediaTypeOf, requestHeaderOf, responseHeaderOf } from '../http/index.ts'

/** Kinds of files that pages are made of, by the ending of the path. `json`, `xml`, `pdf` and `csv` are answers of APIs. */
const FAMILY_OF_ENDING = new Map<string, string>(
  [
    ['html', 'htm html xhtml'],
    ['style', 'css scss less'],
    ['script', 'js mjs cjs map ts jsx tsx'],
    ['image', 'jpg jpeg png gif svg webp avif bmp ico tif tiff heic apng cur'],
    ['media', 'mp4 webm ogg ogv oga avi mov mp3 wav m4a m4s aac flac ts m3u8 mpd vtt'],
    ['font', 'woff woff2 ttf otf eot'],
    ['document', 'pptx ppt swf webmanifest wasm'],
  ].flatMap(([family, endings]) => endings!.split(' ').map((ending): [string, string] => [ending, family!])),
)

/** Files with a fixed name at the root of a site. */
const WELL_KNOWN = new Set([
  '/robots.txt',
  '/sitemap.xml',
  '/ads.txt',
  '/humans.txt',
  '/favicon.ico',
  '/browserconfig.xml',
])

/** Path of a request target, without origin and query. */
export function pathOfTarget(target: string): string {
  let start = 0
  if (target.charCodeAt(0) !== 47) {
    const scheme = target.indexOf('://')
    if (scheme > 0) start = target.indexOf('/', scheme + 3)
    if (start < 0) return '/'
  }
  let end = target.length
  for (const mark of ['?', '#', ';']) {
    const at = target.indexOf(mark, start)
    if (at >= 0 && at < end) end = at
  }
  return target.slice(start, end) || '/'
}

/**
 * True for a file that a page is made of: style sheets, scripts, pictures, fonts, media. Path ending **and** media type of
 * the answer must agree, so that `GET /report.js` with a JSON answer stays an endpoint and so does `/users/5/avatar` with
 * a picture. Style sheets and fonts need no ending; an answer without media type (304) is judged by what was asked for.
 */
export function isStaticResource(exchange: LiveExchange): boolean {
  const { request } = exchange
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const path = pathOfTarget(request.target)
  if (WELL_KNOWN.has(path)) return true
  const mediaType = mediaTypeOf(responseHeaderOf(exchange, 'content-type') ?? '')
  if (mediaType === 'text/css' || mediaType.startsWith('font/')) return true
  const family = FAMILY_OF_ENDING.get(endingOf(path))
  if (family === undefined) return isScriptAnswer(exchange, mediaType)
  return mediaType === '' ? asksForFile(exchange) : agrees(family, mediaType)
}

/** `png` of `/a/b.PNG`; '' when the last segment has no ending. */
function endingOf(path: string): string {
  const dot = path.lastIndexOf('.')
  return dot < path.lastIndexOf('/') || path.length - dot > 12 ? '' : path.slice(dot + 1).toLowerCase()
}

/** A script without ending is a file when the browser asked for a script and named no callback (JSONP). */
function isScriptAnswer(exchange: LiveExchange, mediaType: string): boolean {
  if (!mediaType.endsWith('javascript')) return false
  const isScriptTag = requestHeaderOf(exchange, 'sec-fetch-dest') === 'script'
  return isScriptTag && !/[?&](?:callback|jsonp|cb)=/i.test(exchange.request.target)
}

/** Without a media type to agree with: the ending decides, unless the caller asked for data. */
function asksForFile(exchange: LiveExchange): boolean {
  return !(requestHeaderOf(exchange, 'accept') ?? '').includes('json')
}

function agrees(family: string, mediaType: string): boolean {
  if (mediaType === 'application/octet-stream' || mediaType === 'binary/octet-stream') return true
  switch (family) {
    case 'html':
      return mediaType.includes('html')
    case 'script':
      return (
        mediaType.includes('javascript') ||
        mediaType.includes('ecmascript') ||
        mediaType.startsWith('text/') ||
        mediaType.startsWith('video/') ||
        mediaType === 'application/json+map'
      )
    case 'style':
      return mediaType.startsWith('text/')
    case 'image':
      return mediaType.startsWith('image/')
    case 'media':
      return /^(?:audio|video)\/|mpegurl|dash\+xml|text\/vtt|application\/ogg/.test(mediaType)
    case 'font':
      return mediaType.includes('font') || mediaType.includes('woff')
    default:
      return !mediaType.includes('json') || mediaType.includes('manifest')
  }
}
