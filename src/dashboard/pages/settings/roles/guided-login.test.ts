import { describe, expect, it } from 'vitest'
import { type LoginStep, readLoginSteps } from '../../../../testing/sessions/login-step.ts'
import { credentialOf } from './credential-draft.ts'
import {
  credentialOfLogin,
  emptyLogin,
  type GuidedLogin,
  type LoginWay,
  placeOfLogin,
} from './guided-login.ts'

/** What is stored of a login, its steps as the engine reads them. */
function stored(way: LoginWay, said: Partial<GuidedLogin>) {
  const { type, parameters, steps } = credentialOf(credentialOfLogin({ ...emptyLogin(way), ...said }))
  const read = readLoginSteps(steps)
  return { type, values: parameters.map(({ key, value }) => [key, value]), steps: read }
}

const account = { url: 'https://shop.test/login', user: 'ada@shop.test', password: 'p&=ss "w' }

describe('a guided login', () => {
  it('sends a form with the hidden token of its page, and takes a redirect as success', () => {
    const { values, steps } = stored('form', {
      ...account,
      pageUrl: 'https://shop.test/login',
      hiddenField: '_csrf[x]',
    })
    expect(values).toEqual([['Cookie', '${cookies}']])
    expect(steps).toMatchObject([
      { method: 'GET', takes: [{ name: 'form_token', regex: expect.stringContaining('_csrf\\[x\\]') }] },
      {
        method: 'POST',
        body: '_csrf%5Bx%5D=${form_token}&username=ada%40shop.test&password=p%26%3Dss%20%22w',
        headers: [['content-type', 'application/x-www-form-urlencoded']],
        takes: [{ name: 'redirect', from: 'STATUS' }],
      },
    ])
  })

  it.each([
    '<input name="_csrf[x]" type="hidden" value="t-1">',
    '<input name="other" value="no"><input type="hidden" value="t-1" name="_csrf[x]"><input value="no">',
    "<input\n  value='t-1'\n  name='_csrf[x]'\n/>",
  ])('finds the hidden token of a page whatever the order of attributes (%s)', (page) => {
    const { steps } = stored('form', {
      ...account,
      pageUrl: 'https://shop.test/login',
      hiddenField: '_csrf[x]',
    })
    const { regex } = (steps as LoginStep[])[0]!.takes[0]!
    expect(new RegExp(regex!).exec(page)?.[1]).toBe('t-1')
  })

  it('takes a new hidden token from the page of the code before it sends the code', () => {
    const { steps } = stored('form', {
      ...account,
      ...{ pageUrl: 'https://shop.test/login', hiddenField: 'csrf' },
      ...{ totp: 'JBSWY3DP', totpUrl: 'https://shop.test/code' },
    })
    expect(steps).toMatchObject([
      { method: 'GET', url: 'https://shop.test/login', takes: [{ name: 'form_token' }] },
      { method: 'POST', url: 'https://shop.test/login', totp: null },
      { method: 'GET', url: 'https://shop.test/code', takes: [{ name: 'form_token' }] },
      { method: 'POST', body: 'csrf=${form_token}&code=${totp}', takes: [{ name: 'redirect' }] },
    ])
    const plain = stored('form', { ...account, totp: 'JBSWY3DP', totpUrl: 'https://shop.test/code' })
    expect(plain.steps).toMatchObject([{ method: 'POST' }, { method: 'POST', body: 'code=${totp}' }])
  })

  it('takes a cookie as success when asked', () => {
    const { steps } = stored('form', { ...account, sign: 'cookie', signCookie: 'sid' })
    expect(steps).toMatchObject([{ takes: [{ name: 'cookie sid', from: 'COOKIE', key: 'sid' }] }])
    expect(stored('form', { ...account, sign: 'any' }).steps).toMatchObject([{ takes: [] }])
  })

  it('sends JSON to an API, with the code beside the password or in a separate request', () => {
    const at = { ...account, userField: 'user.email', passwordField: 'user.password', tokenPath: 'data.jwt' }
    const plain = stored('api', at)
    expect(plain.values).toEqual([['Authorization', 'Bearer ${x1.response.body.data.jwt}']])
    expect(plain.steps).toMatchObject([
      { body: JSON.stringify({ user: { email: account.user, password: account.password } }), totp: null },
    ])
    const beside = stored('api', { ...account, totp: 'JBSWY3DP' })
    expect(beside.steps).toMatchObject([
      { body: expect.stringContaining('"code":"${totp}"'), totp: 'JBSWY3DP' },
    ])
    const after = stored('api', { ...account, totp: 'JBSWY3DP', totpUrl: 'https://shop.test/code' })
    expect(after.values).toEqual([['Authorization', 'Bearer ${x3.response.body.token}']])
    expect(after.steps).toMatchObject([
      { totp: null },
      { url: 'https://shop.test/code', body: '{"code":"${totp}"}', totp: 'JBSWY3DP' },
    ])
  })

  it.each(['pa${totp}ss', '${totp}', 'pa${ss', 'pa#[ss]'])(
    'sends what is typed as it is (%s)',
    (password) => {
      const { steps } = stored('api', { ...account, user: 'a${b}', password, totp: 'JBSWY3DP' })
      const [{ body }] = steps as [LoginStep]
      expect(body.match(/\$\{[^}]*\}/g)).toEqual(['${totp}'])
      expect(JSON.parse(body)).toEqual({ username: 'a${b}', password, code: '${totp}' })
    },
  )

  it('asks for a token with client credentials, in a header or in the body', () => {
    const client = {
      url: 'https://id.test/token',
      clientId: 'vigil',
      clientSecret: 's:1',
      scope: 'read write',
    }
    const basic = stored('oauth', client)
    expect(basic.values).toEqual([['Authorization', 'Bearer ${x1.response.body.access_token}']])
    expect(basic.steps).toMatchObject([
      {
        body: 'grant_type=client_credentials&scope=read%20write',
        headers: [expect.anything(), ['authorization', `Basic ${btoa('vigil:s%3A1')}`]],
      },
    ])
    expect(stored('oauth', { ...client, scope: '', clientAuth: 'body' }).steps).toMatchObject([
      { body: 'grant_type=client_credentials&client_id=vigil&client_secret=s%3A1' },
    ])
  })

  it('carries a token as it is, with or without a word before it', () => {
    expect(stored('token', { token: ' t-1 ' })).toMatchObject({
      type: 'HARDCODED',
      values: [['Authorization', 'Bearer t-1']],
    })
    expect(stored('token', { token: 'k-1', header: 'X-Api-Key', prefix: '' }).values).toEqual([
      ['X-Api-Key', 'k-1'],
    ])
  })

  it('reads the token endpoint as the standard has it, whatever was typed for another way', () => {
    expect(stored('oauth', { url: 'https://id.test/token', tokenPath: 'data.jwt' }).values).toEqual([
      ['Authorization', 'Bearer ${x1.response.body.access_token}'],
    ])
  })
})

describe('the place of a stored login', () => {
  const entry = (urlRegex: string | null, headerKVPairs = {}) => ({ urlRegex, headerKVPairs })

  it('is that of the same URLs without conditions on headers', () => {
    const list = [entry('/a', { x: 'y' }), entry(null), entry('/a')]
    expect(placeOfLogin({ urlRegex: ' /a ' }, list)).toBe(2)
    expect(placeOfLogin({ urlRegex: '' }, list)).toBe(1)
    expect(placeOfLogin({ urlRegex: '/b' }, list)).toBeNull()
  })
})
