import { expect, test, vi } from 'vitest'
import { CallError } from '../contract/client.ts'
import { remedyFor } from './remedies.ts'
import { withServer } from './server-client.ts'
import { reasonOf } from './server-fault.ts'

test('remedies for a terminal name commands, not pages of the dashboard or fields of a call', () => {
  expect(remedyFor('NO_SUCH_KEY')).toContain('vigil key list')
  expect(remedyFor('USER_EXISTS')).toContain('vigil user reset-password')
  expect(remedyFor('INVALID_KEY')).toContain('--key')
  expect(remedyFor('FOREIGN_ENCODING_OF_A_PROXY')).toBe(null)
  expect(remedyFor(null)).toBe(null)
})

test('a long refusal is cut, and what to do about it is not', async () => {
  const reason = await reasonOf(new CallError(422, ['x'.repeat(5_000)], 'IMPORT_NO_TEXT'))
  expect(reason).toBe(`${'x'.repeat(1_000)}…\n${remedyFor('IMPORT_NO_TEXT')}`)
})

test("only a server that is not the command's own is to be started", async () => {
  const error = new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })
  expect(await reasonOf(error)).toContain('Start it')
  expect(await reasonOf(error, true)).toBe('the server cannot be reached: ECONNREFUSED')
})

test('a refusal of the server is printed with what to do about it', async () => {
  const written: string[] = []
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0)
  try {
    const refuse = (code: string | null) => () =>
      Promise.reject(new CallError(422, ['The file is gzip data, not text'], code))
    expect(await withServer(refuse('IMPORT_NO_TEXT'))).toBe(1)
    expect(await withServer(refuse(null))).toBe(1)
  } finally {
    write.mockRestore()
  }
  expect(written).toEqual([
    `vigil: The file is gzip data, not text\n${remedyFor('IMPORT_NO_TEXT')}\n`,
    'vigil: The file is gzip data, not text\n',
  ])
})
