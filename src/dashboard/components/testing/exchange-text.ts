import { prettyJson } from '../code/pretty-json.ts'
import type { EvidenceExchange } from './read-evidence.ts'

type Half = EvidenceExchange['request']

/** Request or answer as it was sent: first line, headers, an empty line, the body. */
export function rawText({ line, headers, body }: Half): string {
  return [line, ...headers.map(([name, value]) => `${name}: ${value}`), '', body].join('\n')
}

/** The same line by line for comparison: headers by name, for their order and case mean nothing, a body of JSON laid out. */
export function comparableLines({ line, headers, body }: Half): string[] {
  const json = prettyJson(body)
  const lines =
    json === null
      ? body.split('\n')
      : json.map(({ indent, tokens }) => '  '.repeat(indent) + tokens.map(({ text }) => text).join(''))
  const sorted = headers.map(([name, value]) => `${name.toLowerCase()}: ${value}`).sort()
  return [line, ...sorted, '', ...lines]
}

interface MarkdownParts {
  readonly title: string
  readonly endpoint: string
  readonly explanation: string
  readonly curl: string
  readonly exchange: EvidenceExchange
  /** Address of the result in the dashboard. */
  readonly link: string
}

/** Longest request or answer in Markdown: trackers refuse long texts. */
const longest = 4_000

/** A finding for a ticket or a chat, as Markdown. */
export function findingAsMarkdown(parts: MarkdownParts): string {
  const { title, endpoint, explanation, curl, exchange, link } = parts
  return [
    `## ${title}`,
    `\`${endpoint.replaceAll('`', "'")}\``,
    ...(explanation === '' ? [] : [explanation]),
    ...(curl === '' ? [] : ['### Reproduce', fenced(curl, 'sh')]),
    '### Request',
    fenced(rawText(exchange.request), 'http'),
    '### Response',
    fenced(rawText(exchange.response), 'http'),
    `Evidence: ${link}`,
  ].join('\n\n')
}

/** A block of code whose fence is longer than any run of backticks inside. */
function fenced(text: string, language: string): string {
  const cut = text.length > longest ? `${text.slice(0, longest)}\n… (cut)` : text
  const runs = cut.match(/`+/g)?.map((run) => run.length) ?? []
  const fence = '`'.repeat(Math.max(2, ...runs) + 1)
  return `${fence}${language}\n${cut}\n${fence}`
}
