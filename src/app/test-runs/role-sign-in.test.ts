import { expect, test } from 'vitest'
import type { TestRoleView } from '../../testing/index.ts'
import type { DeclaredOperation } from '../../traffic/index.ts'
import { isPasswordOf, isSignInOf, roleSignIn } from './role-sign-in.ts'

function roleThat(steps: unknown[]): TestRoleView {
  return { credentials: [{ mechanism: { steps } }] } as unknown as TestRoleView
}

function operation(method: string, origin: string, path: string): DeclaredOperation {
  return { method, origin, path } as DeclaredOperation
}

const STEP = { url: '/login', body: '{"user":"ada","password":"lovelace"}' }

test('the password of a role goes to where the role signs in, and nowhere else', () => {
  const signIn = roleSignIn(roleThat([STEP]), 'https://shop.test')!
  expect(isSignInOf(signIn, operation('POST', 'https://shop.test', '/login'))).toBe(true)
  expect(isSignInOf(signIn, operation('POST', 'https://other.test', '/login'))).toBe(false)
  expect(isSignInOf(signIn, operation('PUT', 'https://shop.test', '/login'))).toBe(false)
  const [own, foreign] = ['https://shop.test', 'https://other.test'].map((origin) =>
    operation('PUT', origin, '/users/{id}'),
  ) as [DeclaredOperation, DeclaredOperation]
  const names = ['password', 'new_password', 'oldPassword', 'smtp_password', 'pin']
  expect(names.filter((name) => isPasswordOf(signIn, own, name))).toEqual(names.slice(0, 3))
  expect(names.filter((name) => isPasswordOf(signIn, foreign, name))).toEqual([])
})

test('a login that names no host is known only where the run has one', () => {
  expect(roleSignIn(roleThat([STEP]), null)).toBeNull()
  const named = roleThat([{ ...STEP, url: 'https://sso.test/login' }])
  expect(roleSignIn(named, null)?.url.origin).toBe('https://sso.test')
})

test('a login without a password, or with one that another answer gives, is none to repeat', () => {
  const steps = [{ url: '/hello' }, { url: '/login', body: '{"password":"${x1.response.body.code}"}' }]
  expect(roleSignIn(roleThat(steps), 'https://shop.test')).toBeNull()
  expect(roleSignIn(null, 'https://shop.test')).toBeNull()
})
