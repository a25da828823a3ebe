import { expect, test } from 'vitest'
import type { Visit } from '../browser/driver.ts'
import type { CrawlContext } from './crawl-context.ts'
import { callsOfLoad, loadPage } from './load-page.ts'
import type { PageView } from './page-view.ts'

/** A tab that shows the page before, whatever is requested; looking at it fails. */
function tabOf(visit: Partial<Visit>): { view: PageView; context: CrawlContext } {
  const before = 'https://shop.test/before'
  const page = {
    id: 'tab',
    url: before,
    cause: null,
    goto: async () => ({ url: before, status: null, problem: 'deadline', ...visit }),
    quiet: () => Promise.reject(new Error('it was looked at')),
  }
  const softly = { toNew: async () => 'not there' }
  const context = { budget: { loads: 0 }, counts: { loads: 0 }, firstAnswer: { loadMs: 20_000 }, softly }
  return { view: { page } as unknown as PageView, context: context as unknown as CrawlContext }
}

const linked = { url: 'https://shop.test/slow', sourceUrl: 'https://shop.test/', sourceXpath: '', text: '' }

test('a page that does not answer in time is not taken for the one before it', async () => {
  const { view, context } = tabOf({})
  expect(await loadPage(view, linked, context)).toBeNull()
  await expect(loadPage(view, { ...linked, sourceUrl: '' }, context)).rejects.toThrow(
    'https://shop.test/slow: nothing came back in time. Check the URL, and that the application runs',
  )
})

test('a page that began to answer in time is looked at', async () => {
  const { view, context } = tabOf({ status: 200 })
  await expect(loadPage(view, linked, context)).rejects.toThrow('it was looked at')
})

test('the calls of a load are all but the page itself', () => {
  const calls = ['GET https://shop.test/a', 'GET https://shop.test/api/me', 'GET https://shop.test/api/me']
  expect(callsOfLoad(calls, ['https://shop.test/a#/x'])).toEqual(['GET https://shop.test/api/me'])
})
