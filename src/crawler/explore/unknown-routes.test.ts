import { afterEach, expect, it, vi } from 'vitest'
import { CrawlScope } from '../scope/crawl-scope.ts'
import type { CrawlContext } from './crawl-context.ts'
import type { PageSurvey } from './page/survey-types.ts'
import type { PageView } from './page-view.ts'
import { UnknownRoutes } from './unknown-routes.ts'

const app = 'http://shop.test/app'

afterEach(() => vi.restoreAllMocks())

/** Shows the basket where it is asked for, and the first page for anything else. */
function surveyAt(url: string): PageSurvey {
  const heading = url.endsWith('#/basket') ? 'Basket' : 'Welcome'
  return {
    url,
    title: 'Shop',
    headings: [heading],
    fields: [],
    actions: [],
    elements: 60,
  } as unknown as PageSurvey
}

it('what an application shows for unknown routes is known for what it is, and asked for once', async () => {
  const asked: string[] = []
  const page = {
    quiet: async () => true,
    goto: async (url: string) => {
      asked.push(url)
      return { url, status: null, problem: null }
    },
  }
  const view = { page, survey: async () => surveyAt(asked.at(-1)!) } as unknown as PageView
  const scope = CrawlScope.read({ start: app, outscope: ['/app/private'], templates: [] })
  const context = { scope, counts: { loads: 0 }, budget: { loads: 0 } } as unknown as CrawlContext
  const routes = new UnknownRoutes()
  expect(await routes.isShownBy(surveyAt(`${app}#/gone`), view, context)).toBe(true)
  expect(await routes.isShownBy(surveyAt(`${app}#/basket`), view, context)).toBe(false)
  expect(asked).toEqual([`${app}#/vigil-no-such-page`])
  expect(context.counts.loads).toBe(1)
  // Paths are asked for by probes, and what is out of scope is not asked for at all.
  expect(await routes.isShownBy(surveyAt('http://shop.test/gone'), view, context)).toBe(false)
  expect(await routes.isShownBy(surveyAt('http://shop.test/app/private#/gone'), view, context)).toBe(false)
  expect(asked).toHaveLength(1)
  // What is another page now may be the one for unknown routes by then, which shows what was written.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000)
  expect(await routes.isShownBy(surveyAt(`${app}#/gone`), view, context)).toBe(true)
  expect(asked).toHaveLength(1)
  expect(await routes.isShownBy(surveyAt(`${app}#/basket`), view, context)).toBe(false)
  expect(asked).toHaveLength(2)
})
