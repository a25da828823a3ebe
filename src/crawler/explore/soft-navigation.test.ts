import { expect, test } from 'vitest'
import type { CrawlContext } from './crawl-context.ts'
import type { PageAction, PageSurvey } from './page/survey-types.ts'
import type { PageView } from './page-view.ts'
import { SoftNavigation } from './soft-navigation.ts'

const origin = 'https://shop.test'

function surveyAt(url: string, dialogs = 0): PageSurvey {
  const names = ['Home', 'Search', `Open ${url}`, `Edit ${url}`, `New ${url}`]
  const button = { tag: 'button', role: '', id: '', classes: '', events: ['click'], handlers: 1 }
  const actions = names.map((name) => ({ ...button, name }) as unknown as PageAction)
  const empty = { title: '', headings: [], fields: [], links: [], forms: [], elements: 50 }
  return { ...empty, url, dialogs, actions } as unknown as PageSurvey
}

/** A tab with an application whose first page sends people back to where they were. */
function tabAt(path: string): { view: PageView; context: CrawlContext; routed: string[] } {
  const routed: string[] = []
  let [url, last, dialogs] = [origin + path, origin + path, 1]
  const page = {
    id: 'tab',
    cause: null,
    get url() {
      return url
    },
    async evaluate(script: string) {
      const to = /pushState\(null, '', "([^"]+)"\)/.exec(script)?.[1]
      if (to === undefined) return null
      routed.push(to.slice(origin.length))
      url = to === `${origin}/` ? last : to
      if (url !== last) dialogs = 0
      last = url
      return null
    },
    quiet: async () => true,
    input: { press: async () => {} },
  }
  const view = { page, documentUrl: origin + path, stepsInDocument: 0, restartSteps() {} }
  const documents = {
    markOf: () => 'one',
    alike: () => [`${origin}/`, `${origin}/orders`, `${origin}/items`],
    noteAlike() {},
  }
  return {
    view: { ...view, survey: async () => surveyAt(url, dialogs) } as unknown as PageView,
    context: { documents, callsSince: () => [] } as unknown as CrawlContext,
    routed,
  }
}

test('a page is made anew by the router although the first page sends people back to where they were', async () => {
  const softly = new SoftNavigation()
  const { view, context, routed } = tabAt('/items')
  softly.noteLoaded('items', surveyAt(`${origin}/items`))
  const show = () => softly.toKnown(view, `${origin}/items`, 'items', context)
  expect(await show()).toMatchObject({ url: `${origin}/items`, dialogs: 0 })
  expect(routed).toEqual(['/', '/orders', '/items'])
  // That one is not tried again.
  expect(await show()).toMatchObject({ url: `${origin}/items` })
  expect(routed.slice(3)).toEqual(['/orders', '/items'])
})

test('most of what a page offered tells that it is there', () => {
  const softly = new SoftNavigation()
  softly.noteLoaded('items', surveyAt(`${origin}/items`))
  expect(softly.showsMostOf('items', surveyAt(`${origin}/items`))).toBe(true)
  expect(softly.showsMostOf('items', surveyAt(`${origin}/orders`))).toBe(false)
  expect(softly.showsMostOf('orders', surveyAt(`${origin}/items`))).toBe(true)
})
