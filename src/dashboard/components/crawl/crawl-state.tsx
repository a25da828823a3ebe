import type { CrawlerRun } from '../../../contract/browser.ts'
import { Tag, type TagTone } from '../tag.tsx'

const looks: Record<NonNullable<CrawlerRun['status']>, { word: string; tone: TagTone }> = {
  PENDING: { word: 'Waiting', tone: 'gray' },
  RUNNING: { word: 'Crawling', tone: 'blue' },
  STOP_REQUESTED: { word: 'Stopping', tone: 'orange' },
  COMPLETED: { word: 'Completed', tone: 'green' },
  STOPPED: { word: 'Stopped', tone: 'orange' },
  FAILED: { word: 'Failed', tone: 'red' },
}

/** The status of a crawl in a word. */
export function CrawlStateTag({ status }: { status: CrawlerRun['status'] }) {
  const look = status === null ? null : looks[status]
  return <Tag tone={look?.tone ?? 'gray'}>{look?.word ?? 'Unknown'}</Tag>
}

/** True while a crawl waits or works, so that its numbers change on their own. */
export function isCrawling(status: CrawlerRun['status']): boolean {
  return status === 'PENDING' || status === 'RUNNING' || status === 'STOP_REQUESTED'
}

/** Words for the reasons for which the engine ends on its own. */
export const endWords: Readonly<Record<string, string>> = {
  finished: 'nothing was left to do',
  saturated: 'nothing new was found for long',
  budget: 'its time was over',
  stopped: 'somebody stopped it',
  failed: 'it failed',
}
