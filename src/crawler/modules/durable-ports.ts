import { writeSampleMessage } from '../../http/index.ts'
import type { CapturedExchange, CaptureOutcome } from '../browser/capture.ts'
import { inventoryExchanges } from '../browser/captured-of.ts'
import { LOGIN_CAUSE } from '../browser/crawl-guard.ts'
import type { ResourceKind } from '../browser/request-guard.ts'
import type { CrawlMemory, CrawlSink, HelperPort } from '../explore/crawl-ports.ts'
import { isStaticFile } from '../explore/locations.ts'
import type { CredentialMask } from '../login/credential-mask.ts'
import type { CrawlLink } from './crawl-link.ts'
import type { Outbox } from './outbox.ts'
import { retryWithBackoff } from './retry-with-backoff.ts'

/** Kinds that make up the look of a page; the inventory would drop them. */
const LOOKS: ReadonlySet<ResourceKind> = new Set([
  'Stylesheet',
  'Image',
  'Media',
  'Font',
  'TextTrack',
  'Manifest',
])
/** Statuses that a server gives for what is not there as well. */
const VAIN: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 410, 501, 503])
/** Exchanges that tell of the application: it answered, or it would have been asked. */
const TELLING: ReadonlySet<CaptureOutcome> = new Set(['answered', 'held back'])

/** What becomes of findings on their way out. */
interface SinkOptions {
  /** Makes a second delivery of an exchange harmless. */
  readonly crawlId: string
  /** Unique for this process, wherever it runs: exchanges are numbered by each. */
  readonly worker: string
  /** Keeps the credentials of the crawl back. */
  readonly mask: CredentialMask
  /** Whether an exchange with this URL belongs to the crawl. */
  isOurs(url: URL): boolean
  /** Called with every exchange that goes to the inventory. */
  heard(): void
}

/** Puts what the engine finds into the outbox. */
export function sinkInto(outbox: Outbox, options: SinkOptions): CrawlSink {
  const { mask } = options
  return {
    async url(found) {
      outbox.push({
        url: {
          url: mask.text(found.url),
          isAccepted: found.accepted,
          reason: found.reason,
          origin: found.origin,
          foundAt: Math.floor(found.atMs / 1000),
          sourceUrl: found.sourceUrl === null ? null : mask.text(found.sourceUrl),
          sourceXpath: found.sourceXpath,
          buttonText: mask.text(found.text),
        },
      })
      await outbox.room()
    },
    exchange(captured) {
      for (const message of messagesOf(captured, options)) {
        options.heard()
        outbox.push({ message })
      }
    },
    async edge({ from, to, fromUrl, toUrl, action, xpath, text, calls }) {
      outbox.push({
        step: {
          from: mask.text(from),
          to: mask.text(to),
          fromUrl: mask.text(fromUrl),
          toUrl: mask.text(toUrl),
          action,
          xpath,
          text: mask.text(text),
          calls: calls.map((call) => mask.text(call)),
        },
      })
      await outbox.room()
    },
    log({ level, message, atMs }) {
      outbox.push({ log: { at: Math.floor(atMs / 1000), level, line: mask.text(message) } })
    },
  }
}

function messagesOf(captured: CapturedExchange, options: SinkOptions): string[] {
  const { url, outcome, cause, id } = captured
  if (!TELLING.has(outcome) || !URL.canParse(url) || !options.isOurs(new URL(url))) return []
  if (isFile(captured) || captured.isConfirmed || isVainGuess(captured)) return []
  return inventoryExchanges(captured).map((exchange, index) =>
    writeSampleMessage({
      ...options.mask.exchange(exchange, cause === LOGIN_CAUSE),
      messageId: `${options.crawlId} ${options.worker} ${id} ${index}`,
    }),
  )
}

/** A file of which pages are made is not a request to an API. */
function isFile({ kind, url }: CapturedExchange): boolean {
  return LOOKS.has(kind) || (kind !== 'XHR' && kind !== 'Fetch' && isStaticFile(new URL(url)))
}

/** Nobody but the crawler asked for it, and there is nothing, or nothing for anybody: that proves no endpoint. */
function isVainGuess({ kind, cause, exchange }: CapturedExchange): boolean {
  const isOwn = cause === 'probe' || (kind === 'Document' && cause === 'load')
  return isOwn && VAIN.has(exchange.response.status)
}

/** The helper port of the link: a worker that reports itself idle has delivered what it captured. */
export function durableHelperPort(link: CrawlLink, outbox: Outbox, signal: AbortSignal): HelperPort {
  return {
    async idle(isIdle) {
      if (isIdle) await outbox.flushed()
      await retryWithBackoff(() => link.idle(isIdle), signal)
    },
  }
}

/** The memory of the link: what it says was done is committed before it is reported. */
export function durableMemory(link: CrawlLink, outbox: Outbox, signal: AbortSignal): CrawlMemory {
  return {
    async exchange(since, news) {
      if (news.length > 0) await outbox.flushed()
      return retryWithBackoff(() => link.exchange(since, news), signal)
    },
  }
}
