import { describe, expect, test } from 'vitest'
import { spanOf, stepOf } from './window-rule.ts'
import {
  emptyWindow,
  takeMatch,
  type WindowLimit,
  type WindowMatch,
  type WindowStep,
} from './window-state.ts'

const AT = 1_795_000_020 // 40 seconds into a minute
const MINUTE = Math.floor(AT / 60)

function rule(limit: number, steps = 5, countsValues = false): WindowLimit {
  return { span: { stepMinutes: 1, steps }, limit, countsValues }
}

function match(minute: number, more: Partial<WindowMatch> = {}): WindowMatch {
  return {
    step: MINUTE + minute,
    at: (MINUTE + minute) * 60,
    counts: true,
    mayFire: true,
    value: null,
    ...more,
  }
}

function run(limit: WindowLimit, matches: readonly WindowMatch[]): WindowStep[] {
  const state = emptyWindow()
  return matches.map((one) => takeMatch(state, one, limit))
}

const firings = (steps: readonly WindowStep[]) => steps.flatMap((step, i) => (step.firing ? [i] : []))

describe('a window', () => {
  test('fires at the match that fills it, with count, first and last time', () => {
    const steps = run(rule(3), [match(0), match(1), match(4)])
    expect(firings(steps)).toEqual([2])
    expect(steps[2]!.firing).toEqual({
      count: 3,
      values: null,
      firstAt: MINUTE * 60,
      lastAt: (MINUTE + 4) * 60,
    })
  })

  test('does not count what slid out of it', () => {
    expect(firings(run(rule(3), [match(0), match(1), match(5)]))).toEqual([])
    expect(firings(run(rule(3), [match(0), match(1), match(5), match(5)]))).toEqual([3])
  })

  test('rests after firing until it moved past the minute of the firing', () => {
    const storm = Array.from({ length: 300 }, (_, i) => match(Math.floor(i / 10)))
    // Ten a minute for half an hour: one event in every five minutes.
    expect(firings(run(rule(10), storm))).toEqual([9, 50, 100, 150, 200, 250])
  })

  test('counts a late match in its own minute while that lies in the window', () => {
    expect(firings(run(rule(3), [match(0), match(4), match(2)]))).toEqual([2])
    const steps = run(rule(3), [match(0), match(6), match(1)])
    expect(steps[2]!.isLate).toBe(true)
    expect(firings(run(rule(3), [match(0), match(6), match(1), match(6), match(6)]))).toEqual([4])
  })

  test('fires on a late match that fills a window which has ended', () => {
    const filled = [match(0), match(0), match(4), match(6), match(3)]
    expect(firings(run(rule(4), filled))).toEqual([4])
  })

  test('gives the same number of events in any order of nearly simultaneous messages', () => {
    let state = 7
    const random = () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
      return state / 2 ** 32
    }
    for (let round = 0; round < 200; round++) {
      const matches = Array.from({ length: 12 }, () => match(Math.floor(random() * 5)))
      expect(firings(run(rule(12), matches))).toEqual([11])
    }
  })

  test('counts different values once where the rule asks for them', () => {
    const values = [1, 1, 2, 2, 3].map((value) => match(0, { value }))
    expect(firings(run(rule(3, 5, true), values))).toEqual([4])
    const apart = [match(0, { value: 1 }), match(3, { value: 2 }), match(6, { value: 3 })]
    expect(firings(run(rule(3, 5, true), apart))).toEqual([])
    expect(firings(run(rule(1, 5, true), [match(0)]))).toEqual([])
  })

  test('counts matches of one kind and fires on one of the other', () => {
    const failed = { mayFire: false }
    const succeeded = { counts: false }
    const steps = run(rule(3), [
      match(0, failed),
      match(0, succeeded),
      match(0, failed),
      match(1, failed),
      match(1, failed),
      match(2, succeeded),
      match(2, succeeded),
    ])
    expect(firings(steps)).toEqual([5])
    expect(steps[5]!.firing?.count).toBe(4)
  })

  test('asks for nine messages to be kept, of rules with high limits from the half on', () => {
    const steps = run(
      rule(100),
      Array.from({ length: 100 }, () => match(0)),
    )
    expect(steps.flatMap(({ isReference }, i) => (isReference ? [i] : []))).toEqual([
      49, 50, 51, 52, 53, 54, 55, 56, 57,
    ])
    expect(firings(steps)).toEqual([99])
    const few = run(rule(4), [match(0), match(0), match(0), match(0)])
    expect(few.map(({ isReference }) => isReference)).toEqual([true, true, true, false])
  })

  test('holds a bounded state whatever comes', () => {
    const state = emptyWindow()
    for (let i = 0; i < 5000; i++) takeMatch(state, match(i % 977, { value: i }), rule(50, 60, true))
    expect(state.bins.length).toBeLessThanOrEqual(4 * 121)
    expect(state.values.length).toBeLessThanOrEqual(2 * 52)
    expect(state.references.length).toBeLessThanOrEqual(9)
  })
})

describe('the steps of a rule', () => {
  test('are minutes up to an hour, and coarser beyond', () => {
    expect(spanOf({ windowMinutes: 5 })).toEqual({ stepMinutes: 1, steps: 5 })
    expect(spanOf({ windowMinutes: 60 })).toEqual({ stepMinutes: 1, steps: 60 })
    expect(spanOf({ windowMinutes: 1440 })).toEqual({ stepMinutes: 24, steps: 60 })
  })

  test('draw a time ahead of the clock back to two minutes from now', () => {
    const span = spanOf({ windowMinutes: 5 })
    expect(stepOf(AT + 86_400, span, AT)).toBe(stepOf(AT, span, AT))
    expect(stepOf(AT - 86_400, span, AT)).toBe(MINUTE - 1440)
  })
})
