import { expect, test } from 'vitest'
import { CrawlScope } from '../scope/crawl-scope.ts'
import type { CrawlContext } from './crawl-context.ts'
import { explorePage } from './explore-page.ts'
import { Knowledge } from './knowledge.ts'
import { Looks } from './looks.ts'
import type { PageAction, PageSurvey } from './page/survey-types.ts'
import type { PageView } from './page-view.ts'
import { SignatureMemory } from './signature-memory.ts'
import { States } from './states.ts'

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
    softly: { toKnown: async () => null, showsMostOf: () => true, noteLoaded() {} },
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

test('what promises little on a page waits while other pages are to be loaded', async () => {
  const url = 'https://shop.test/hints'
  const { view, context } = sentTo(url)
  const scope = CrawlScope.read({ start: url, outscope: [], templates: [] })
  if (typeof scope === 'string') throw new Error(scope)
  const hint = {
    tag: 'span',
    name: 'Hint',
    events: ['mouseenter'],
    index: 0,
    form: -1,
    guard: '',
    within: '',
  }
  const shown = await view.survey()
  const survey = {
    ...shown,
    hasPassword: false,
    actions: [{ ...hint, role: '', structure: 'span' } as unknown as PageAction],
  }
  const counts = { waiting: { load: 1, explore: 0, probe: 0 }, leased: 1, helpers: 0 }
  const more = {
    scope,
    signatures: new SignatureMemory(),
    states: new States(),
    looks: new Looks(),
    knowledge: new Knowledge(scope),
    ports: { session: null, frontier: { counts: async () => counts } },
    isEnding: () => false,
  }
  const ready = { ...context, ...more } as unknown as CrawlContext
  const payload = { url, path: [], round: 0 }
  const { rest } = await explorePage(
    { ...view, survey: async () => survey } as unknown as PageView,
    payload,
    ready,
  )
  expect(rest).toMatchObject({ url, pass: 1 })
})

test('a page that shows nothing yet is looked at again, and comes again if it stays so', async () => {
  const { view, context } = sentTo('https://shop.test/late')
  const scope = CrawlScope.read({ start: 'https://shop.test', outscope: [], templates: [] })
  const counts = { waiting: { load: 0, explore: 0, probe: 0 }, leased: 1, helpers: 0 }
  const more = { scope, ports: { session: null, frontier: { counts: async () => counts } } }
  let looks = 0
  const empty = await view.survey()
  const late = { ...view, survey: async () => ({ ...empty, hasPassword: ++looks < 0 }) }
  const payload = { url: 'https://shop.test/late', path: [], round: 0 }
  const ready = { ...context, ...more, isEnding: () => false } as unknown as CrawlContext
  const { rest } = await explorePage(late as unknown as PageView, payload, ready)
  expect(looks).toBe(4)
  expect(rest).toMatchObject({ url: payload.url, round: 1, fruitless: 1, pass: 0 })
})
