import {
  type CrawlFindings,
  type CrawlMeasure,
  describeCost,
  runCrawl,
} from '../../bench/crawler/run-crawl.ts'
import type { DriverContext } from '../../src/crawler/browser/driver.ts'
import { workshopCalls, workshopStates } from '../targets/workshop/expectations.ts'
import { beginSession, type Workshop } from '../targets/workshop/server.ts'

/** Longest time of a crawl of the workshop. */
const LIMIT_SECONDS = 200
/** States behind values that a script wants, menus of entries, and pages that change after something was written. */
const WANTED = ['depot-stored', 'depot-scales', 'depot-labels', 'books-counted']

/** Crawls the workshop with a session, which ends on the way. */
export async function crawlWorkshop(
  workshop: Workshop,
  isEnough?: (soFar: CrawlFindings) => boolean,
): Promise<CrawlMeasure> {
  const signIn = (context: DriverContext) => putSession(context, workshop)
  const measure = await runCrawl({
    start: `${workshop.origin}/`,
    seconds: LIMIT_SECONDS,
    mode: 'last',
    tabs: 4,
    identity: 'vera',
    signIn,
    session: {
      loginUrl: `${workshop.origin}/login`,
      check: async (context) => {
        await signIn(context)
        return 'renewed'
      },
    },
    ...(isEnough === undefined ? {} : { isEnough }),
  })
  console.info(describeCost(measure))
  return measure
}

/** States and calls that were not reached, while those are more than one in twenty. */
export function missedOf(workshop: Workshop): string[] {
  const missed = [
    ...workshopStates.filter((state) => !workshop.states.has(state)),
    ...workshopCalls.filter((call) => !workshop.calls.has(call)),
  ]
  return missed.length > (workshopStates.length + workshopCalls.length) * 0.05 ? missed : []
}

/** Of the states that need more than a click, those that were not reached. */
export function missedWanted(workshop: Workshop): string[] {
  return WANTED.filter((state) => !workshop.states.has(state))
}

async function putSession(context: DriverContext, workshop: Workshop): Promise<void> {
  await context.restore({
    cookies: [
      {
        name: 'sid',
        value: await beginSession(workshop.origin),
        domain: '127.0.0.1',
        path: '/',
        expires: -1,
        httpOnly: true,
        secure: false,
        sameSite: null,
      },
    ],
    storage: [],
    headers: {},
  })
}
