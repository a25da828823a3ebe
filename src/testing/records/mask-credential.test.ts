import { describe, expect, test } from 'vitest'
import { maskCredential, secretsOfCredential, unmaskCredential } from './mask-credential.ts'

const SECRET = 'masked-secret'
const bearer = (value: string, key = 'Authorization') => ({ where: 'HEADER', key, value, showHeader: true })

const login = {
  parameters: [bearer('Bearer ${x1.response.body.token}')],
  steps: [
    {
      type: 'LOGIN_FORM',
      url: `https://shop.test/login?client_secret=${SECRET}`,
      method: 'POST',
      headers: `content-type: application/json\nx-api-key: ${SECRET}`,
      body: `{"email":"ann@shop.test","password":"${SECRET}","pin":471147,"remember":true}`,
      queryParams: `user=ann&token=${SECRET}`,
      totp: `otpauth://totp/mail:ann?secret=${SECRET}&issuer=x`,
    },
  ],
  flow: null,
}
const recorded = {
  parameters: [bearer('Bearer ${token}')],
  steps: null,
  flow: {
    content: JSON.stringify({
      steps: [
        { type: 'navigate', url: 'https://shop.test/login' },
        { type: 'change', value: SECRET, selectors: [['#password']] },
      ],
      totp: SECRET,
    }),
    tokenFetchCommand: 'localStorage.token',
    outputFilePath: null,
    errorFilePath: null,
    tokenResult: SECRET,
  },
}
const digest = { parameters: [bearer(`ann:${SECRET}`, 'digest')], steps: null, flow: null }
const fixed = { parameters: [bearer(`Bearer ${SECRET}`)], steps: null, flow: null }

describe.each(Object.entries({ login, recorded, digest, fixed }))('a credential (%s)', (_name, stored) => {
  test('shows no secret when it is masked', () => {
    expect(JSON.stringify(maskCredential(stored))).not.toMatch(/masked-secret|471147/)
  })

  test('keeps its secrets when its masks are sent back unchanged', () => {
    const kept = unmaskCredential(maskCredential(stored), stored)
    expect(JSON.stringify(kept)).toBe(JSON.stringify(stored))
  })
})

test('what is filled in at sending, accounts and plain headers stay readable', () => {
  const [step] = maskCredential(login).steps!
  expect(maskCredential(login).parameters[0]!.value).toBe('Bearer ${x1.response.body.token}')
  expect(step!.headers).toContain('content-type: application/json')
  expect(step!.body).toContain('"email":"ann@shop.test"')
  expect(step!.queryParams).toBe('user=ann&token=mask***')
})

test.each([
  'pa${masked-secret',
  'pa${masked-secret}',
  'pa#[masked-secret',
  'pa#[x]masked-secret',
  '${x}masked-secret',
])('a secret with the marks of a placeholder is a secret (%s)', (password) => {
  const body = JSON.stringify({ user: 'ann', password, code: '${totp}', id: '#[x1.id]' })
  const stored = { ...fixed, parameters: [bearer(`Bearer ${password}`)], steps: [{ url: '/login', body }] }
  expect(JSON.stringify(maskCredential(stored))).not.toContain('masked-secret')
  expect(maskCredential(stored).steps[0]!.body).toContain('"code":"${totp}","id":"#[x1.id]"')
  expect(secretsOfCredential(stored)).toEqual([`Bearer ${password}`, password])
  expect(unmaskCredential(maskCredential(stored), stored)).toEqual(stored)
})

test('an escaped dollar in JSON is part of the secret, and stays escaped when a mask is sent back', () => {
  const body = String.raw`{"user":"a\u0024{b}","password":"\u0024{masked-secret}","code":"${'${totp}'}"}`
  const stored = { ...fixed, steps: [{ url: '/login', body }] }
  const masked = maskCredential(stored).steps[0]!.body
  expect(masked).not.toContain('masked-secret')
  expect(masked).toContain(String.raw`"user":"a\u0024{b}"`)
  expect(masked).toContain('"code":"${totp}"')
  expect(secretsOfCredential(stored)).toContain('${masked-secret}')
  expect(unmaskCredential(maskCredential(stored), stored).steps[0]!.body).toBe(body)
})

test('one field can be changed while the others keep their secrets', () => {
  const [step] = maskCredential(login).steps!
  const sent = { ...login, steps: [{ ...step, body: step!.body.replace('ann@', 'bob@') }] }
  const [kept] = unmaskCredential(sent, login).steps!
  expect(JSON.parse(String(kept!.body))).toEqual({
    email: 'bob@shop.test',
    password: SECRET,
    pin: 471147,
    remember: true,
  })
})

test('a password keeps its secret when the form sends it apart from its user', () => {
  const sent = { ...digest, parameters: [bearer('ann', 'username'), bearer('mask***', 'password')] }
  expect(unmaskCredential(sent, digest).parameters.map(({ value }) => value)).toEqual(['ann', SECRET])
})

test('a mask without a stored secret is refused, and a new credential may look like one', () => {
  const sent = { ...fixed, parameters: [bearer('othe***')] }
  expect(() => unmaskCredential(sent, fixed)).toThrow('AUTH_VALUE_MASKED')
  expect(() => unmaskCredential(sent, { parameters: [], steps: null, flow: null })).toThrow(
    'AUTH_VALUE_MASKED',
  )
  expect(unmaskCredential(sent, null)).toBe(sent)
})
