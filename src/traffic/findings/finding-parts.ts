import { type Exchange, parseRawRequest, parseRawResponse, targetProblem } from '../../http/index.ts'
import { Failure } from '../../kit/index.ts'
import type { DecodeBudget } from '../decode-budget.ts'
import { asText, cutText } from '../untrusted-value.ts'

/** Longest texts that are kept of a rule and of a finding. */
const MAX_TEXT = 8_000
const MAX_QUOTE = 2_000
/** Ids of weaknesses, and addresses, of one rule. */
const MAX_LINKS = 20

/** `CWE-89` of `89`, `CWE-89` or `cwe-89`; none of anything else. */
export function cweIds(values: readonly unknown[]): string[] {
  return values.slice(0, MAX_LINKS).flatMap((value) => {
    const number = /^(?:CWE-)?([1-9]\d{0,5})$/i.exec(asText(value).trim())?.[1]
    return number === undefined ? [] : [`CWE-${number}`]
  })
}

export function cveIds(values: readonly unknown[]): string[] {
  return values
    .slice(0, MAX_LINKS)
    .flatMap((value) => /^CVE-\d{4}-\d{4,}$/.exec(asText(value).trim().toUpperCase())?.[0] ?? [])
}

/** The web addresses in texts, each once. */
export function linksIn(texts: readonly unknown[]): string[] {
  const found = texts.flatMap((text) => cutText(text, MAX_TEXT).match(/https?:\/\/[^\s<>"']{1,1000}/g) ?? [])
  return [...new Set(found)].slice(0, MAX_LINKS)
}

/** A text of a rule, which tools write with the paragraphs and escapes of HTML. */
export function plainText(value: unknown): string {
  return cutText(value, MAX_TEXT)
    .replace(/<\/p>\s*/gi, '\n\n')
    .replace(/<[a-z/][^<>]{0,200}>/gi, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#xd;', '')
    .replaceAll('&amp;', '&')
    .trim()
}

/** Notes with something in them. */
export function notesOf(pairs: readonly (readonly [string, unknown])[]): [string, string][] {
  return pairs.flatMap(([label, value]): [string, string][] => {
    const text = cutText(value, MAX_QUOTE).trim()
    return text === '' ? [] : [[label, text]]
  })
}

/** Why a URL is not one of an endpoint, as a sentence; undefined when it is. */
export function urlProblem(url: string): string | undefined {
  if (url === '') return 'it names no URL'
  if (!/^https?:\/\/[^\s/?#]/i.test(url) || !URL.canParse(url)) return 'it names no http or https URL'
  const problem = targetProblem(url)
  return problem === undefined ? undefined : `the URL ${problem}`
}

/** The messages of a finding, as the tool wrote them. */
interface WrittenMessages {
  readonly url: string
  readonly request: string
  readonly response: string
  readonly at: number
}

/** The exchange of two raw messages; null when there is no request or it cannot be read. `notes` learns why. */
export function exchangeOf(written: WrittenMessages, budget: DecodeBudget, notes: string[]): Exchange | null {
  if (written.request.trim() === '') return null
  try {
    const request = budget.spend((maxBodyBytes) => parseRawRequest(written.request, { maxBodyBytes }))
    const response =
      written.response.trim() === ''
        ? { message: { status: 0, reason: '', headers: [], body: '' }, notes: [] }
        : budget.spend((maxBodyBytes) => parseRawResponse(written.response, { maxBodyBytes }))
    notes.push(...request.notes, ...response.notes)
    return {
      request: { ...request.message, target: written.url },
      response: response.message,
      at: written.at,
      clientIp: '',
      serverIp: '',
      source: 'OTHER',
      direction: 1,
      vxlanId: 0,
    }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    notes.push(`its messages are left out: ${String(error.details['reason'])}`)
    return null
  }
}

/** A raw message of its head and its body, whether or not the head ends with the blank line between them. */
export function rawMessage(head: string, body: string): string {
  const bare = head.trimEnd()
  return bare === '' ? '' : `${bare}\r\n\r\n${body}`
}

/** `query id` where the URL has such a parameter, `body id` where the body has, else ''. */
export function partOf(parameter: string, url: string, body: string): string {
  const name = parameter.trim()
  if (name === '' || name.length > 200) return ''
  if (URL.canParse(url) && new URL(url).searchParams.has(name)) return `query ${name}`
  if (new URLSearchParams(body).has(name) || body.includes(JSON.stringify(name))) return `body ${name}`
  return ''
}
