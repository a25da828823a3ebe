import { writeSampleMessage } from '../../http/index.ts'
import type { CapturedExchange, CaptureOutcome } from '../browser/capture.ts'
import { inventoryExchanges } from '../browser/captured-of.ts'
import type { ResourceKind } from '../browser/request-guard.ts'
import type { CrawlMemory, CrawlSink } from '../explore/crawl-ports.ts'
import type { CrawlLink } from './crawl-link.ts'
import type { Outbox } from './outbox.ts'
import { persistently } from './persistently.ts'

/** Kinds that make up the look of a page; the inventory would drop them. */
const LOOKS: ReadonlySet<ResourceKind> = new Set([
  'Stylesheet',
  'Image',
  'Media',
  'Font',
  'TextTrack',
  'Manifest',
])
/** Exchanges that tell of the application: it answered, or it would have been asked. */
const TELLING: ReadonlySet<CaptureOutcome> = new Set(['answered', 'held back'])

/**
 * Puts what the engine finds into the outbox.
 *
 * @param crawlId makes a second delivery of an exchange harmless
 * @param isOurs whether an exchange with this URL belongs to the crawl
 * @param heard called with every exchange that goes to the inventory
 */
export function sinkInto(
  outbox: Outbox,
  crawlId: string,
  isOurs: (url: URL) => boolean,
  heard: () => void,
): CrawlSink {
  return {
    async url(found) {
      outbox.push({
        url: {
          url: found.url,
          isAccepted: found.accepted,
          reason: found.reason,
          origin: found.origin,
          foundAt: Math.floor(found.atMs / 1000),
          sourceUrl: found.sourceUrl,
          sourceXpath: found.sourceXpath,
          buttonText: found.text,
        },
      })
      await outbox.room()
    },
    exchange(captured) {
      for (const message of messagesOf(captured, crawlId, isOurs)) {
        heard()
        outbox.push({ message })
      }
    },
    async edge({ from, to, fromUrl, toUrl, action, xpath, text, calls }) {
      outbox.push({ step: { from, to, fromUrl, toUrl, action, xpath, text, calls } })
      await outbox.room()
    },
    log({ level, message, atMs }) {
      outbox.push({ log: { at: Math.floor(atMs / 1000), level, line: message } })
    },
  }
}

function messagesOf(captured: CapturedExchange, crawlId: string, isOurs: (url: URL) => boolean): string[] {
  const { url, kind, outcome } = captured
  if (!TELLING.has(outcome) || LOOKS.has(kind) || !URL.canParse(url) || !isOurs(new URL(url))) return []
  return inventoryExchanges(captured).map((exchange, index) =>
    writeSampleMessage({ ...exchange, messageId: `${crawlId} ${process.pid} ${captured.id} ${index}` }),
  )
}

/** The memory of the link: what it says was done is committed before it is kept. */
export function durableMemory(link: CrawlLink, outbox: Outbox, signal: AbortSignal): CrawlMemory {
  return {
    load: () => persistently(() => link.loadMemory(), signal),
    async save(text) {
      await outbox.flushed()
      await persistently(() => link.saveMemory(text), signal)
    },
  }
}
