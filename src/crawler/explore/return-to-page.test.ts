import { describe, expect, it } from 'vitest'
import { CrawlScope } from '../scope/crawl-scope.ts'
import type { CrawlContext } from './crawl-context.ts'
import { fingerprintOf } from './fingerprint.ts'
import { LightRoutes } from './light-routes.ts'
import { locationKey } from './locations.ts'
import type { PageSurvey } from './page/survey-types.ts'
import type { PageView } from './page-view.ts'
import { ReturnToPage, type ShownPage } from './return-to-page.ts'

const app = 'http://shop.test/app'
const home = `${app}#/basket`

/** An application whose pages are called by their routes; `opened` stands on the page until it is left or `Escape` closes it. */
function tabAt(url: string, opened: { heading: string; closesWithKey: boolean } | null = null) {
  const asked: string[] = []
  let open = opened
  const look = (heading: string) =>
    ({
      url: page.url,
      actions: [],
      fields: [],
      headings: [heading],
      dialogs: 0,
      tags: '',
    }) as unknown as PageSurvey
  const page = {
    url,
    input: {
      press: async () => {
        if (open?.closesWithKey) open = null
      },
    },
    quiet: async () => true,
    goto: async (to: string) => {
      asked.push(to)
      if (to !== page.url) open = null
      page.url = to
      return { url: to, status: null, problem: null }
    },
  }
  const view = {
    page,
    stepsInDocument: 0,
    restartSteps: () => {},
    survey: async () => look(`${page.url} ${open?.heading ?? ''}`),
  }
  return { view: view as unknown as PageView, asked, shows: () => look(`${page.url} ${open?.heading ?? ''}`) }
}

function contextWith(...light: readonly string[]): CrawlContext {
  const scope = CrawlScope.read({ start: `${app}#/`, outscope: [], templates: [] })
  if (typeof scope === 'string') throw new Error(scope)
  const routes = new LightRoutes()
  for (const url of light) routes.note(url, locationKey(new URL(url), scope), { elements: 10, calls: 0 })
  return {
    scope,
    routes,
    counts: { loads: 0 },
    softly: { toKnown: async () => null },
  } as unknown as CrawlContext
}

function returnToPage(view: PageView, context: CrawlContext): ReturnToPage {
  return new ReturnToPage(view, { url: home, location: locationKey(new URL(home), context.scope) }, context)
}

function shownAs(survey: PageSurvey): ShownPage {
  const look = fingerprintOf(survey).exact
  return { survey, fresh: look, filled: look, filledForms: new Set(), woken: new Set() }
}

describe('the way back to the page of a visit', () => {
  it('is the router from another route of the document', async () => {
    const { view, asked } = tabAt(`${app}#/checkout`)
    expect(await returnToPage(view, contextWith()).withinDocument(null)).toMatchObject({ url: home })
    expect(asked).toEqual([home])
  })

  it('is a key where that closes what was opened', async () => {
    const shown = shownAs(tabAt(home).shows())
    const { view, asked } = tabAt(home, { heading: 'Menu', closesWithKey: true })
    expect(await returnToPage(view, contextWith()).withinDocument(shown)).not.toBeNull()
    expect(asked).toEqual([])
  })

  it('leads over a light route where something stays open', async () => {
    const shown = shownAs(tabAt(home).shows())
    const { view, asked } = tabAt(home, { heading: 'Panel', closesWithKey: false })
    expect(await returnToPage(view, contextWith(`${app}#/about`)).withinDocument(shown)).not.toBeNull()
    expect(asked).toEqual([`${app}#/about`, home])
  })

  it('is loading where no other route is known, the document is another one, or routes are not fragments', async () => {
    const open = { heading: 'Panel', closesWithKey: false }
    const shown = shownAs(tabAt(home).shows())
    expect(await returnToPage(tabAt(home, open).view, contextWith()).withinDocument(shown)).toBeNull()
    expect(await returnToPage(tabAt('http://shop.test/').view, contextWith()).withinDocument(null)).toBeNull()
    const context = contextWith()
    const plain = { url: 'http://shop.test/basket', location: 'http://shop.test/basket' }
    const way = new ReturnToPage(tabAt('http://shop.test/').view, plain, context)
    expect(await way.withinDocument(null)).toBeNull()
    const { view, asked } = tabAt(home, open)
    expect(await returnToPage(view, context).load()).toBe(true)
    expect(asked).toEqual(['about:blank', home])
    expect(context.counts.loads).toBe(1)
  })

  it('is loading where the router leaves the page other than it was', async () => {
    const shown = shownAs(tabAt(home, { heading: 'Three things', closesWithKey: false }).shows())
    const { view } = tabAt(`${app}#/checkout`)
    expect(await returnToPage(view, contextWith()).withinDocument(shown)).toBeNull()
  })
})
