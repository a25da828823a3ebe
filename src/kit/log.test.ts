import { expect, test } from 'vitest'
import { reportError } from './index.ts'
import { createLog } from './log.ts'

function record(): {
  lines: () => Record<string, unknown>[]
  text: () => string
  write: (text: string) => void
} {
  const written: string[] = []
  return {
    lines: () => written.map((text) => JSON.parse(text) as Record<string, unknown>),
    text: () => written.join(''),
    write: (text) => void written.push(text),
  }
}

test('a line holds level, time, event and its fields', () => {
  const target = record()
  createLog('info', target).info('key.created', { keyId: 1, userId: 2, kind: 'BURP' })
  expect(target.lines()).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      event: 'key.created',
      keyId: 1,
      userId: 2,
      kind: 'BURP',
    },
  ])
})

test('lines under the level are not written', () => {
  const target = record()
  createLog('warn', target).info('login.succeeded', { userId: 1 })
  expect(target.text()).toBe('')
})

test('data that an error message quotes stays out of the log', () => {
  const target = record()
  const log = createLog('info', target)
  for (const text of ['{"password":"hidden-1"', 'hidden-2', 'it\'s hidden-3 "x']) {
    try {
      JSON.parse(text)
    } catch (error) {
      log.error('process.failed', { error: reportError(error) })
    }
  }
  expect(target.lines()).toHaveLength(3)
  expect(target.text()).not.toContain('hidden')
  expect(target.lines()[0]).toMatchObject({ errorName: 'SyntaxError' })
})
