import { expect, test } from 'vitest'
import { awaitLoaded } from './await-shown.ts'
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
  for (let page = 0; page < 6; page++) {
    const { view, taken } = loadingFor(99)
    await awaitLoaded(view, { vainWaits })
    looks.push(taken())
  }
  expect(looks).toEqual([4, 4, 4, 4, 1, 1])
})
