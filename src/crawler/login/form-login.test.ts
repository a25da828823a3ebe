import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import type { DriverContext } from '../browser/driver.ts'
import { formLogin } from './form-login.ts'
import { repeatBox } from './login-script.ts'

test('a form is looked for nowhere else where the application answers nothing', async () => {
  const asked: string[] = []
  const page = {
    url: 'about:blank',
    cause: null,
    cdp: { on: () => () => {} },
    close: async () => {},
    quiet: () => Promise.reject(new Error('it was looked at')),
    async goto(url: string) {
      asked.push(url)
      return { url: 'about:blank', status: null, problem: 'deadline' }
    },
  }
  const login = formLogin({ startUrl: 'https://shop.test/', username: 'ada', password: 'secret' })
  const result = await login.authenticate(
    { newPage: async () => page } as unknown as DriverContext,
    new AbortController().signal,
  )
  expect(asked).toEqual(['https://shop.test/'])
  expect(result).toEqual({ kind: 'failed', text: 'The application did not answer.', mayRetry: false })
})

test('a box gets its value once more only while it exists: its form may have been sent by the first time', () => {
  const repeat = repeatBox('password', 'secret')
  const gone = { isConnected: false, dispatchEvent: () => expect.unreachable() }
  for (const globals of [{}, { __vigilLogin: { password: null } }, { __vigilLogin: { password: gone } }])
    expect(() => runInNewContext(repeat, globals)).not.toThrow()
})
