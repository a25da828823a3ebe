import { expect, test } from 'vitest'
import { exchangeOf } from '../../../test/test-results.ts'
import type { Exchange } from '../../http/index.ts'
import { draftOf } from '../attempts/index.ts'
import { signUpFor } from './own-account.ts'

function post(path: string, body: Readonly<Record<string, string>>): Exchange {
  const { request, ...rest } = exchangeOf(`https://shop.test${path}`)
  const headers = ['content-type', 'application/json']
  return { ...rest, request: { ...request, method: 'POST', headers, body: JSON.stringify(body) } }
}

test.each(['email', 'identifier', 'identity', 'login'])(
  'a sign-in that calls the account %s is made one of the new account',
  (name) => {
    const start = draftOf(post('/auth/local', { [name]: 'ann@shop.test', password: 'Right-1' }))
    const recorded = post('/auth/local/register', {
      username: 'ann',
      email: 'ann@shop.test',
      password: 'Right-1',
    })
    const signUp = signUpFor(start, [recorded])
    const made = JSON.parse(signUp?.draft.body.text ?? '{}') as { email?: string }
    expect(made.email).toMatch(/@/)
    expect(made.email).not.toBe('ann@shop.test')
    const guess = draftOf(post('/auth/local', { [name]: 'ann@shop.test', password: 'Wrong-1' }))
    expect(JSON.parse(signUp?.signIn(guess).body.text ?? '{}')).toEqual({
      [name]: made.email,
      password: 'Wrong-1',
    })
  },
)
