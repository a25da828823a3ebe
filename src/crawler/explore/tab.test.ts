import { beforeEach, describe, expect, it } from 'vitest'
import { Failure } from '../../kit/index.ts'
import type { DriverPage } from '../browser/driver.ts'
import { Tab } from './tab.ts'

const MB = 1_000_000

describe('the page of a tab', () => {
  let bytes = 0
  let made: { visits: number; collected: number; hangs: boolean }[] = []
  const window = {
    generation: 0,
    memoryBytes: async () => bytes,
    newPage: async () => {
      const state = { visits: 0, collected: 0, hangs: false }
      made.push(state)
      const send = async () => {
        if (state.hangs) throw new Failure('BROWSER_TIMED_OUT', { call: 'HeapProfiler.collectGarbage' })
        state.collected++
      }
      const page = {
        isClosed: false,
        get visits() {
          return state.visits
        },
        on: () => () => {},
        close: async () => {},
        cdp: { send },
      }
      return page as unknown as DriverPage
    },
  }
  let tab: Tab

  beforeEach(() => {
    bytes = 500 * MB
    made = []
    tab = new Tab(window, () => {})
  })

  it('is replaced after many visits', async () => {
    await tab.view()
    made[0]!.visits = 49
    await tab.view()
    expect(made).toHaveLength(1)
    made[0]!.visits = 50
    await tab.view()
    expect(made).toHaveLength(2)
    expect(made[0]!.collected).toBe(0)
  })

  it('has its garbage collected now and then while the browser is heavy', async () => {
    await tab.view()
    bytes = 900 * MB
    for (const visits of [1, 3, 4, 5, 6]) {
      made[0]!.visits = visits
      await tab.view()
    }
    expect(made).toHaveLength(1)
    expect(made[0]!.collected).toBe(2)
  })

  it('is replaced soon where that does not help, and where it hangs', async () => {
    await tab.view()
    bytes = 1_100 * MB
    made[0]!.visits = 6
    await tab.view()
    expect(made).toHaveLength(2)
    bytes = 900 * MB
    made[1]!.visits = 3
    made[1]!.hangs = true
    await tab.view()
    expect(made).toHaveLength(3)
  })
})
