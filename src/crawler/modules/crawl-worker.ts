import { ParentLink } from './parent-link.ts'
import { workOnCrawl } from './work-on-crawl.ts'
import { type ParentMessage, WORKER_LIFELINE, type WorkerMessage } from './worker-protocol.ts'

/** Process that works on one crawl and ends with it, or with its parent. */
const send = (message: WorkerMessage): void => {
  process.send?.(message)
}
const link = new ParentLink(send)

// The browser is gone when this process is, or its parent.
process.on('disconnect', () => process.exit(1))

process.on('message', (message: ParentMessage) => {
  if (message.kind !== 'begin') return link.heard(message)
  workOnCrawl(message.job, { ...message.place, lifeline: WORKER_LIFELINE }, link).then(
    (ending) => process.send?.({ kind: 'ended', ending } satisfies WorkerMessage, () => process.exit(0)),
    (error: unknown) => {
      // Unheard it ends the process with its trace, and the parent takes the crawl up again.
      throw error
    },
  )
})
