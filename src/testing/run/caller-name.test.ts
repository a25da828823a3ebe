import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import { callerName, callersSentence } from './caller-name.ts'

function token(payload: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'HS256' })}.${part(payload)}.c2lnbmF0dXJl`
}

function asked(header: string) {
  return rawSample(`GET /orders/7 HTTP/1.1\nhost: shop.test\n${header}\n\n`)
}

test.each([
  ['a mail address', `authorization: Bearer ${token({ sub: 3, email: 'ann@shop.test' })}`, 'ann@shop.test'],
  [
    'an account inside the token',
    `cookie: a=b; token=${token({ data: { id: 3, email: 'ann@shop.test' } })}`,
    'ann@shop.test',
  ],
  ['a number alone', `x-token: ${token({ sub: 3, exp: 9 })}`, 'user 3'],
  ['Basic authentication', `authorization: Basic ${Buffer.from('ann:secret').toString('base64')}`, 'ann'],
  ['an opaque token', 'authorization: Bearer 0123456789abcdef', null],
  ['a token of nobody', `authorization: Bearer ${token({ exp: 9 })}`, null],
  ['no token', 'authorization: Bearer eyJh.eyJi.c', null],
])('%s names the caller', (_what, header, name) => {
  expect(callerName(asked(header).request.headers)).toBe(name)
})

test('the sentence names owner and other, and nothing where they are one', () => {
  const ann = asked(`authorization: Bearer ${token({ email: 'ann@shop.test' })}`)
  const bob = asked(`authorization: Bearer ${token({ email: 'bob@shop.test' })}`)
  const opaque = asked('authorization: Bearer 0123456789abcdef')
  expect(callersSentence(ann, bob, 'the attacker')).toBe(
    'The request is one of ann@shop.test. It was sent as bob@shop.test, the attacker. ',
  )
  expect(callersSentence(ann, opaque, 'the attacker')).toBe('The request is one of ann@shop.test. ')
  expect(callersSentence(ann, ann, 'the attacker')).toBe('')
  expect(callersSentence(opaque, opaque, 'the attacker')).toBe('')
})
