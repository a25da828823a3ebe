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

/** What is open on a page until the page is left, or until `Escape` or a button closes it. */
interface Opened {
  readonly heading: string
  readonly closesWithKey: boolean
  readonly button?: string
  /** Its button does nothing. */
  readonly isStuck?: boolean
}

/** An application whose pages are called by their routes. */
function tabAt(url: string, opened: Opened | null = null) {
  const asked: string[] = []
  const clicks: string[] = []
  let open = opened
  const buttons = () =>
    open?.button === undefined
      ? []
      : [{ index: 0, name: open.button, inDialog: true, tag: 'button', events: ['click'] }]
  const look = (heading: string) =>
    ({
      url: page.url,
      actions: buttons(),
      fields: [],
      headings: [heading],
      dialogs: buttons().length,
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
    act: async () => {
      // Without a pause between clicks, a loop would never give the test a turn to fail.
      if (clicks.push(open?.button ?? '') > 5) throw new Error('clicked without end')
      if (open?.isStuck !== true) open = null
      return true
    },
    survey: async () => look(`${page.url} ${open?.heading ?? ''}`),
  }
  return {
    view: view as unknown as PageView,
    asked,
    clicks,
    shows: () => look(`${page.url} ${open?.heading ?? ''}`),
  }
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
    ports: {},
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

  it.each([
    ['is a key where that closes what was opened', { heading: 'Menu', closesWithKey: true }],
    ['is the button that puts a dialog away', { heading: 'Failed', closesWithKey: false, button: 'Dismiss' }],
  ])('%s', async (_name, opened) => {
    const shown = shownAs(tabAt(home).shows())
    const { view, asked } = tabAt(home, opened)
    const way = returnToPage(view, contextWith())
    expect(await way.closeWhatOpened(shown, () => false)).toMatchObject({ url: home, dialogs: 0 })
    expect(asked).toEqual([])
  })

  it('is none where the page was changed, and offers what is left to do', async () => {
    const shown = shownAs(tabAt(home).shows())
    const changed = { heading: 'Saved', closesWithKey: false }
    const offers = ({ headings }: PageSurvey): boolean => headings.some((each) => each.includes('Saved'))
    const near = (isEnough: (survey: PageSurvey) => boolean) =>
      returnToPage(tabAt(home, changed).view, contextWith()).closeWhatOpened(shown, isEnough)
    expect(await near(offers)).toMatchObject({ url: home })
    expect(await near(() => false)).toBeNull()
  })

  it('is none where the button of a dialog does not close it, and is used once', async () => {
    const shown = shownAs(tabAt(home).shows())
    const stuck = { heading: 'Failed', closesWithKey: false, button: 'OK', isStuck: true }
    const { view, clicks } = tabAt(home, stuck)
    expect(await returnToPage(view, contextWith()).closeWhatOpened(shown, () => false)).toBeNull()
    expect(clicks).toEqual(['OK'])
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
