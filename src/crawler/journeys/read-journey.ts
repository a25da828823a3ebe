import { textsInZip } from './unpack-zip.ts'

/** Pages that one recording may name. */
const MOST_PAGES = 500
/** Forms in which people record how they use an application. */
type JourneyFormat = 'Chrome recording' | 'HAR' | 'Playwright trace' | 'Cypress'

/** Somebody's way through an application. */
interface Journey {
  readonly format: JourneyFormat
  /** Addresses in the order they were met, each once; relative ones as they were written. */
  readonly pages: readonly string[]
}

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads a recorded journey: a recording of Chrome DevTools (JSON), a HAR file, a Playwright trace (ZIP in base64, or the
 * text of its `trace.trace` or `trace.network`), or a Cypress spec or report.
 *
 * @returns null when it is none of them, or names no page
 */
export function readJourney(text: string): Journey | null {
  const archive = archiveIn(text)
  const readings: readonly (() => [JourneyFormat, readonly string[]])[] = [
    () => ['Playwright trace', traceIn(archive ?? text)],
    () => ['Chrome recording', recordingIn(jsonOf(text))],
    () => ['HAR', harIn(jsonOf(text))],
    () => ['Cypress', cypressIn(text)],
  ]
  for (const reading of readings) {
    const [format, found] = reading()
    const pages = [...new Set(found)].filter((page) => /^(?:https?:\/\/|\/)/i.test(page)).slice(0, MOST_PAGES)
    if (pages.length > 0) return { format, pages }
  }
  return null
}

/** Texts of a trace in base64; null when it is none. */
function archiveIn(text: string): string | null {
  // "PK" and the two bytes that follow it, in base64.
  if (!/^\s*(?:data:[^,]*,)?UEsDB/.test(text)) return null
  const archive = Buffer.from(text.replace(/^\s*data:[^,]*,/, ''), 'base64')
  return textsInZip(archive, (name) => /\.(?:trace|network)$/.test(name))?.join('\n') ?? null
}

/** Lines of JSON: what was called, and what frames showed. */
function traceIn(text: string): string[] {
  if (!/^\s*\{"/.test(text) || !text.includes('\n')) return []
  return text.split('\n').flatMap((line) => {
    if (!/"(?:goto|frameUrl|resource-snapshot|frame-snapshot)"/.test(line)) return []
    const { method, params, snapshot } = fieldsOf(jsonOf(line))
    const url = method === 'goto' ? fieldsOf(params)['url'] : null
    const { frameUrl, isMainFrame, request, response } = fieldsOf(snapshot)
    const shown = isMainFrame === false ? null : frameUrl
    const document = isDocument(fieldsOf(response)) ? fieldsOf(request)['url'] : null
    return [url, shown, document].filter(isText)
  })
}

function recordingIn(value: unknown): string[] {
  const { steps } = fieldsOf(value)
  return listOf(steps).flatMap((step) => {
    const { type, url, assertedEvents } = fieldsOf(step)
    const asserted = listOf(assertedEvents).map((event) => fieldsOf(event)['url'])
    return [type === 'navigate' ? url : null, ...asserted].filter(isText)
  })
}

function harIn(value: unknown): string[] {
  const { entries, pages } = fieldsOf(fieldsOf(value)['log'])
  const titles = listOf(pages).map((page) => fieldsOf(page)['title'])
  const documents = listOf(entries).flatMap((entry) => {
    const { request, response, _resourceType: type } = fieldsOf(entry)
    const { url, method, headers } = fieldsOf(request)
    const referer = listOf(headers)
      .map(fieldsOf)
      .find(({ name }) => /^referer$/i.test(String(name)))
    const isPage =
      method === 'GET' && (type === 'document' || (type === undefined && isDocument(fieldsOf(response))))
    return [isPage ? url : null, referer?.['value']]
  })
  return [...titles, ...documents].filter(isText)
}

/** Commands of a spec, or of the code in a report, where quotes are written with a backslash. */
function cypressIn(text: string): string[] {
  const pages: string[] = []
  const commands = /\bcy\s*\.\s*visit\s*\(\s*(?:\{[^}]{0,200}?url\s*:\s*)?\\?["'`]([^"'`\\]{1,2000})/g
  for (const match of text.matchAll(commands)) pages.push(match[1]!)
  const asserted =
    /\bcy\s*\.\s*(?:url|location)\s*\([^)]{0,40}\)\s*\.\s*should\s*\(\s*\\?["'`][\w.]{1,40}\\?["'`]\s*,\s*\\?["'`]([^"'`\\]{1,2000})/g
  for (const match of text.matchAll(asserted)) pages.push(match[1]!)
  return pages.map((page) => (/^(?:https?:|\/)/i.test(page) ? page : `/${page}`))
}

function isDocument(response: Fields): boolean {
  const { mimeType } = fieldsOf(response['content'])
  return typeof mimeType === 'string' && /\bhtml\b/.test(mimeType)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Another format.
    return null
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}
