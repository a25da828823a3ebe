import { describe, expect, test } from 'vitest'
import { untilStalled } from './stall-watchdog.ts'

describe('the watch over progress', () => {
  test('tells when nothing has changed for its time, and not before', async () => {
    let asked = 0
    const progress = async (): Promise<number> => Math.min(++asked, 20)
    expect(await untilStalled(progress, 60, new AbortController().signal)).toBe('stalled')
    expect(asked).toBeGreaterThan(20)
  })

  test('takes progress that cannot be asked for as progress', async () => {
    let asked = 0
    const progress = async (): Promise<number> => {
      if (++asked < 30) throw new Error('the database is away')
      return 7
    }
    expect(await untilStalled(progress, 60, new AbortController().signal)).toBe('stalled')
    expect(asked).toBeGreaterThan(30)
  })

  test('ends with its signal', async () => {
    const over = new AbortController()
    const watching = untilStalled(async () => 1, 60_000, over.signal)
    over.abort()
    expect(await watching).toBe('ended')
  })
})
