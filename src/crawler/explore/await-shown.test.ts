import { expect, test } from 'vitest'
import { awaitLoaded, awaitOutcome, isAlwaysLoading } from './await-shown.ts'
import type { PageSurvey } from './page/survey-types.ts'
import type { PageView } from './page-view.ts'

/** A page that says that it is loading for the first looks at it. */
function loadingFor(looks: number): { view: PageView; taken: () => number } {
  let taken = 0
  const view = {
    page: { quiet: async () => true },
    survey: async () => ({ url: 'https://shop.test/', isLoading: ++taken <= looks }),
  }
  return { view: view as unknown as PageView, taken: () => taken }
}

test('a page that says that it is loading is looked at until it no longer says so', async () => {
  const { view, taken } = loadingFor(2)
  expect(await awaitLoaded(view, { vainWaits: new Map() })).toMatchObject({ isLoading: false })
  expect(taken()).toBe(3)
})

test('nobody waits for an application that always says so', async () => {
  const vainWaits = new Map<string, number>()
  const looks: number[] = []
  expect(isAlwaysLoading('https://shop.test/', { vainWaits })).toBe(false)
  for (let page = 0; page < 6; page++) {
    const { view, taken } = loadingFor(99)
    await awaitLoaded(view, { vainWaits })
    looks.push(taken())
  }
  expect(looks).toEqual([4, 4, 4, 4, 1, 1])
  // What it shows tells of its pages all the same.
  expect(isAlwaysLoading('https://shop.test/items', { vainWaits })).toBe(true)
})

/** Milliseconds waited at most after an action that asked for something, for each of some actions in a row. */
async function waitsAfter(
  shows: readonly boolean[],
  { isEnding = false, cover = {} }: { isEnding?: boolean; cover?: Partial<PageSurvey> } = {},
): Promise<number[]> {
  const context = { vainWaits: new Map(), callsSince: () => ['GET /poll'], isEnding: () => isEnding }
  const empty = { url: 'https://shop.test/', actions: [], fields: [], headings: [], forms: [], links: [] }
  const before = { ...empty, dialogs: 0, tags: '' } as unknown as PageSurvey
  const waits: number[] = []
  for (const showsLate of shows) {
    const caps: number[] = []
    const page = { id: 'tab', quiet: async ({ capMs }: { capMs: number }) => caps.push(capMs) > 0 }
    const late = { ...before, actions: [{ name: 'New', events: [] }] }
    const survey = async () => (showsLate && caps.length > 2 ? late : { ...before, ...cover })
    const view = { page, survey } as unknown as PageView
    await awaitOutcome(view, before, 0, context)
    waits.push(caps.slice(1).reduce((sum, cap) => sum + cap, 0))
  }
  return waits
}

test('an application that polls is not waited for once that was in vain four times in a row', async () => {
  const [vain, late] = [false, true]
  expect(await waitsAfter([vain, vain, vain, vain, vain, vain])).toEqual([24000, 6000, 6000, 6000, 0, 0])
  const reset = [late, vain, vain, late]
  expect(await waitsAfter(reset)).toEqual([12000, 24000, 6000, 6000])
})

test('a cover with nothing to use is not what an action leads to', async () => {
  expect(await waitsAfter([true], { cover: { dialogs: 1 } })).toEqual([12000])
  expect(await waitsAfter([true], { cover: { dialogs: 0, headings: ['Done'] } })).toEqual([0])
})

test('a crawl that ends waits for nothing that an action leads to', async () => {
  expect(await waitsAfter([false], { isEnding: true })).toEqual([0])
})
