import { expect, test } from 'vitest'
import type { CrawlContext } from './crawl-context.ts'
import { explorePage } from './explore-page.ts'
import type { PageSurvey } from './page/survey-types.ts'
import type { PageView } from './page-view.ts'

const login = 'https://shop.test/login'

/** A tab that ends up at a page with a password box, and what it is asked to do there. */
function sentTo(url: string): { view: PageView; context: CrawlContext; suspicions: string[] } {
  const suspicions: string[] = []
  const empty = { fields: [], actions: [], headings: [], forms: [], links: [], dialogs: 0, tags: '' }
  const survey = { ...empty, url, hasPassword: true } as unknown as PageSurvey
  const page = {
    id: 'tab',
    url,
    cause: null,
    goto: async () => ({ url, status: 200, problem: null }),
    quiet: async () => true,
  }
  const view = { page, stepsInDocument: Number.NaN, restartSteps() {}, survey: async () => survey }
  const context = {
    scope: { templateOf: () => null },
    closedRoots: new Set(),
    softly: { toKnown: async () => null },
    counts: { loads: 0 },
    ports: { session: { loginUrl: login } },
    knowledge: { suspect: (reason: string) => suspicions.push(reason), writes: 0 },
    revisits: { left() {} },
    isEnding: () => true,
  }
  return { view: view as unknown as PageView, context: context as unknown as CrawlContext, suspicions }
}

test('a page that sends to the login page waits, and speaks against the session', async () => {
  const { view, context, suspicions } = sentTo(login)
  const payload = { url: 'https://shop.test/orders', path: [], round: 0, lostAtMs: 1 }
  expect(await explorePage(view, payload, context)).toEqual({ rest: { ...payload, round: 1 }, finds: 0 })
  expect(suspicions).toEqual([`the login page was shown at ${login}`])
})

test('the login page itself is explored, and says nothing of the session', async () => {
  const { view, context, suspicions } = sentTo(login)
  const payload = { url: login, path: [], round: 0 }
  expect(await explorePage(view, payload, context)).toEqual({
    rest: { ...payload, round: 1, pass: 0, fruitless: 1 },
    finds: 0,
  })
  expect(suspicions).toEqual([])
})
