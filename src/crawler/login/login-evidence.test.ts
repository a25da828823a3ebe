import { expect, test } from 'vitest'
import { type LoginView, successSigns } from './login-evidence.ts'

const session = { cookies: [], storage: [], headers: {} }
const before: LoginView = { url: 'https://shop.test/login', hasPassword: true, session }

test('another page without a password box is a sign of success', () => {
  const after = { url: 'https://shop.test/home', hasPassword: false, session }
  expect(successSigns(before, after, 0)).toEqual(['the password box is gone', 'another page is shown'])
})

test('the error page of the browser is not evidence', () => {
  const after = { url: 'chrome-error://chromewebdata/', hasPassword: false, session }
  expect(successSigns(before, after, 0)).toEqual([])
})
