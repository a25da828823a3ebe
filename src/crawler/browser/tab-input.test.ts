import { expect, test } from 'vitest'
import type { TimedSession } from './cdp.ts'
import { TabInput } from './tab-input.ts'

test.each([
  ['a press', 'mousePressed'],
  ['a move', 'mouseMoved'],
])('a drag releases the button although %s failed', async (_, failing) => {
  const sent: string[] = []
  const send = async (_method: string, { type, buttons }: { type: string; buttons?: number }) => {
    sent.push(type)
    if (type === failing && buttons === 1) throw new Error('the call took too long')
  }
  const input = new TabInput({ send } as unknown as TimedSession)
  await expect(input.drag({ x: 1, y: 1 }, { x: 9, y: 9 })).rejects.toThrow('too long')
  expect(sent.at(-1)).toBe('mouseReleased')
})
