import type { CrawlUrlRecord } from '../../../crawler/index.ts'
import { nowSeconds } from '../../../kit/index.ts'

const MAX_INT32 = 2 ** 31 - 1

/** A URL as a module sends it; fields may be missing. */
interface SentUrl {
  readonly url: string
  readonly accepted?: boolean | null
  readonly timestamp?: number | null
  readonly sourceUrl?: string | null
  readonly sourceXpath?: string | null
  readonly buttonText?: string | null
  readonly reason?: string | null
  readonly origin?: string | null
}

/** The record of a sent URL: not accepted and found now unless it says otherwise. */
export function readCrawlerUrl(sent: SentUrl): CrawlUrlRecord {
  return {
    url: sent.url,
    isAccepted: sent.accepted ?? false,
    reason: sent.reason ?? '',
    origin: sent.origin ?? '',
    foundAt: sent.timestamp ?? nowSeconds(),
    sourceUrl: sent.sourceUrl ?? null,
    sourceXpath: sent.sourceXpath ?? null,
    buttonText: sent.buttonText ?? null,
  }
}

/** URLs of a JSON text; null when it is none, or one of them is not a crawler URL. */
export function readCrawlerUrls(text: string, most: number): CrawlUrlRecord[] | null {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return null
  }
  if (!Array.isArray(value) || value.length > most || !value.every(isSentUrl)) return null
  return value.map(readCrawlerUrl)
}

const texts = ['sourceUrl', 'sourceXpath', 'buttonText', 'reason', 'origin'] as const

function isSentUrl(value: unknown): value is SentUrl {
  if (typeof value !== 'object' || value === null) return false
  const sent = value as Record<string, unknown>
  const isMissing = (name: string): boolean => sent[name] === undefined || sent[name] === null
  const { timestamp } = sent
  return (
    typeof sent['url'] === 'string' &&
    sent['url'] !== '' &&
    (isMissing('accepted') || typeof sent['accepted'] === 'boolean') &&
    (isMissing('timestamp') || (Number.isInteger(timestamp) && Math.abs(Number(timestamp)) <= MAX_INT32)) &&
    texts.every((name) => isMissing(name) || typeof sent[name] === 'string')
  )
}
