import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import type { Exchange } from '../../http/index.ts'
import { Callers } from './callers.ts'

const NAMES = ['olga', 'otto']

function signIn(name: string): Exchange {
  const request = rawSample(
    `POST /login HTTP/1.1\nhost: books.test\ncontent-type: application/json\n\n{"username":"${name}","password":"x"}`,
  )
  const body = JSON.stringify({
    token: `t0ken-of-${name}`,
    message: 'Successfully logged in.',
    role: 'customer',
    tenant: 'c56a4180-65aa-42ec-a945-5fd21dec0538',
  })
  return { ...request, response: { ...request.response, status: 200, body } }
}

function asked(name: string): Exchange {
  return rawSample(`GET /books HTTP/1.1\nhost: books.test\nauthorization: Bearer t0ken-of-${name}\n\n`)
}

test.each([
  ['before their sign-ins', [...NAMES.map(asked), ...NAMES.map(signIn)]],
  ['after their sign-ins', [...NAMES.map(signIn), ...NAMES.map(asked)]],
  ['and are known by their sign-ins alone', NAMES.map(signIn)],
])('people whose sign-ins give the same texts stay apart, asked %s', (_, recorded) => {
  const callers = new Callers(() => ['authorization'])
  for (const exchange of recorded) callers.learn(exchange)
  expect(NAMES.map((name) => callers.ownerOf(asked(name)))).toEqual(['name olga', 'name otto'])
})
