import type { CrawlLink } from './crawl-link.ts'
import { Outbox } from './outbox.ts'
import { isRefusal } from './retry-with-backoff.ts'
import { Spool } from './spool.ts'

/**
 * Delivers what a process that died had on disk, and removes the folder. What the server refuses permanently goes with it.
 *
 * @throws what keeps the server from being reached
 */
export async function deliverSpool(folder: string, link: CrawlLink, signal: AbortSignal): Promise<void> {
  const outbox = new Outbox(
    (leftovers) => new Spool(folder, leftovers),
    (batch) => link.deliver(batch),
    signal,
  )
  try {
    await outbox.flushed()
  } catch (error) {
    if (!isRefusal(error)) throw error
    outbox.discard()
  } finally {
    await outbox.close()
  }
}
