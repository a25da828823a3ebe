import { expect, test } from 'vitest'
import { rawSample } from '../../../../test/raw-sample.ts'
import type { LiveExchange } from '../../../http/index.ts'
import { callerMark, callerNames } from './caller-mark.ts'

const live = (request: string): LiveExchange => rawSample(request) as unknown as LiveExchange
const markOf = (request: string): string => callerMark(live(request))

function jwtOf(sub: string): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'HS256' })}.${part({ sub, iss: 'shop' })}.c2lnbg${sub}`
}

const inQuery = (token: string): string =>
  `GET http://shop.test/orders?page=1&access_token=${token} HTTP/1.1\n\n`
const inBody = (token: string): string =>
  `POST http://shop.test/orders HTTP/1.1\ncontent-type: application/json\n\n{"session_token": "${token}","page":1}`
const inForm = (token: string): string =>
  `POST http://shop.test/orders HTTP/1.1\n\npage=1&auth_token=${token}`
const inCookie = (token: string): string =>
  `GET http://shop.test/orders HTTP/1.1\ncookie: theme=dark; remember_web=${token}\n\n`

test.each([
  ['query', inQuery],
  ['body', inBody],
  ['form', inForm],
  ['cookie', inCookie],
])('tokens in a %s tell callers apart', (_, request) => {
  const [ann, bob] = ['t0k-of-ann-911-x5', 't0k-of-bob-377-y6'].map((token) => markOf(request(token)))
  expect(ann).not.toBe('')
  expect(bob).not.toBe('')
  expect(ann).not.toBe(bob)
  expect(markOf(request('t0k-of-ann-911-x5'))).toBe(ann)
})

test('a JWT counts by its subject, wherever it is carried and whatever it is called', () => {
  const mark = markOf(`GET http://shop.test/ HTTP/1.1\nauthorization: Bearer ${jwtOf('ann')}\n\n`)
  const others = [
    `GET http://shop.test/?t=${jwtOf('ann')} HTTP/1.1\n\n`,
    `POST http://shop.test/ HTTP/1.1\n\n{"credential":"${jwtOf('ann')}"}`,
    `GET http://shop.test/ HTTP/1.1\ncookie: who=${jwtOf('ann')}\n\n`,
  ]
  expect(others.map(markOf)).toEqual([mark, mark, mark])
  expect(callerNames(live(others[0]!))).toEqual(['ann'])
})

test('a header tells the caller where a body carries the token of somebody else', () => {
  const request = (token: string): string =>
    `POST http://shop.test/ HTTP/1.1\nauthorization: Bearer ${jwtOf('ann')}\n\n{"access_token":"${token}"}`
  expect(markOf(request(jwtOf('bob')))).toBe(markOf(request(jwtOf('eve'))))
})

test('requests without a token have no caller', () => {
  expect(markOf('GET http://shop.test/?page_token=next-page-4711&q=token HTTP/1.1\n\n')).toBe('')
  expect(markOf('POST http://shop.test/login HTTP/1.1\n\n{"user":"ann","password":"long enough"}')).toBe('')
  expect(markOf('GET http://shop.test/ HTTP/1.1\ncookie: theme=dark; csrf_token=a1b2c3d4e5\n\n')).toBe('')
})

test('a header that is named as a token distinguishes callers, where they send nothing else', () => {
  const headed = (...headers: string[]): string =>
    markOf(`GET https://bank.test/customers HTTP/1.1\n${headers.join('\n')}\n\n`)
  const [owner, other] = ['x6oici7wh3prgx34fxo1', 'vfuzd2nvaweojqolm4kq']
  expect(headed(`X-API-Token: ${owner}`)).not.toBe('')
  expect(headed(`X-API-Token: ${owner}`)).not.toBe(headed(`X-API-Token: ${other}`))
  expect(headed('X-API-Token: null')).toBe('')
  // Beside the credential of a user it says nothing of the caller.
  expect(headed('Authorization: Bearer a', `X-API-Token: ${owner}`)).toBe(headed('Authorization: Bearer a'))
})

test('a JWT is found after a percent code, and what only begins like one costs little', () => {
  expect(callerNames(live(`GET http://shop.test/?t=Bearer%20${jwtOf('ann')} HTTP/1.1\n\n`))).toEqual(['ann'])
  const begun = process.cpuUsage()
  for (let round = 0; round < 20; round++) {
    expect(markOf(`GET http://shop.test/?q=${'eyJ'.repeat(21_000)}${round} HTTP/1.1\n\n`)).toBe('')
  }
  // A search that begins at each "eyJ" took 13 s.
  expect(process.cpuUsage(begun).user / 1e6).toBeLessThan(5)
})
