import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { setClock } from '../../kit/index.ts'
import { createSigningKeys, jwkSet } from '../tokens/signing-keys.ts'
import { CallbackListener } from './callback-listener.ts'
import { CallbackRegister } from './callback-register.ts'

const ANY_PORT = { callbackHost: '127.0.0.1', callbackPort: 0, callbackUrl: null }
let listener: CallbackListener

beforeEach(async () => {
  listener = await CallbackListener.start(ANY_PORT)
})
afterEach(() => listener.close())

const call = (url: string, init?: RequestInit): Promise<Response> =>
  fetch(url, { redirect: 'manual', ...init })

/** Sends bytes and waits until the other side has closed; what it said. */
function talk(text: string): Promise<string> {
  const [host, port] = listener.address.split(':')
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), host, () => socket.write(text))
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1')
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

test('ids have 128 bits, and only their own hits', async () => {
  const one = listener.register()
  const two = listener.register()
  expect(one.id).toMatch(/^[0-9a-f]{32}$/)
  expect(one.url).toBe(`http://${listener.address}/${one.id}`)
  expect((await call(one.url)).status).toBe(200)
  await call(one.url, { method: 'POST', body: 'secret' })
  expect(listener.hits(one.id)).toBe(2)
  expect(listener.hits(two.id)).toBe(0)
  expect(listener.evidenceOf(one.id)[1]).toMatchObject({
    address: '127.0.0.1',
    method: 'POST',
    target: `/${one.id}`,
  })
  expect(JSON.stringify(listener.evidenceOf(one.id))).not.toContain('secret')
})

test.each([
  ['behind other segments', (id: string) => `/store/${id}`],
  ['with a file ending', (id: string) => `/${id}.png?x=1`],
  ['in the query, in upper case', (id: string) => `/?q=${id.toUpperCase()}`],
])('an id is found %s', async (_where, path) => {
  const { id } = listener.register()
  await call(`${listener.url}${path(id)}`)
  expect(listener.hits(id)).toBe(1)
})

test('an id is found in the host name, and in the first bytes of other protocols', async () => {
  const { id } = listener.register()
  await talk(`GET / HTTP/1.1\r\nHost: ${id}.calls.example\r\n\r\n`)
  expect(listener.hits(id)).toBe(1)
  await talk(`\x30\x0c ldap ${id} \r\n\r\n`)
  expect(listener.hits(id)).toBe(2)
  expect(listener.evidenceOf(id)[1]).toMatchObject({ method: '', headers: [] })
})

test('an unknown id, or a longer run of hex, is answered with 404 and counted nowhere', async () => {
  const { id } = listener.register()
  expect((await call(`${listener.url}/${'0'.repeat(32)}`)).status).toBe(404)
  expect((await call(`${listener.url}/${id}00`)).status).toBe(404)
  expect((await call(`${listener.url}/`)).status).toBe(404)
  expect(listener.hits(id)).toBe(0)
})

describe('a redirect', () => {
  test('sends who calls to the registered URL, and counts', async () => {
    const { id, url } = listener.register('http://169.254.169.254/latest/meta-data/')
    const answer = await call(url)
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe('http://169.254.169.254/latest/meta-data/')
    expect(listener.hits(id)).toBe(1)
  })

  test('to an invalid URL is left out, and cannot inject a header', async () => {
    expect((await call(listener.register('not a url').url)).status).toBe(200)
    const { url } = listener.register('http://a.example/\r\nX-Evil: 1')
    const answer = await call(url)
    expect(answer.headers.get('x-evil')).toBeNull()
    expect(answer.headers.get('location')).toBe('http://a.example/X-Evil:%201')
  })
})

test('evidence is bounded: hits, headers and lengths', async () => {
  const { id, url } = listener.register()
  const headers = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`x-${index}`, 'a'.repeat(100)]),
  )
  for (let i = 0; i < 30; i++) await call(url, { headers })
  expect(listener.hits(id)).toBe(30)
  const kept = listener.evidenceOf(id)
  expect(kept).toHaveLength(20)
  expect(kept[0]!.headers.length).toBeLessThanOrEqual(80)
})

test('evidence of all ids together is bounded, but for the first request of each', async () => {
  const register = new CallbackRegister()
  const hit = { at: 1, address: '', method: 'GET', target: '/', headers: [] }
  const ids = Array.from({ length: 300 }, () => register.add(null).id)
  for (const id of ids) for (let i = 0; i < 20; i++) register.record([id], hit)
  expect(ids.reduce((sum, id) => sum + register.hits(id).length, 0)).toBeLessThanOrEqual(5_050)
  expect(register.hits(ids.at(-1)!)).toHaveLength(1)
  expect(register.count(ids.at(-1)!)).toBe(20)
})

test('the public key of tampered tokens is where their jku points to', async () => {
  expect((await call(listener.keysUrl)).status).toBe(404)
  const keys = createSigningKeys(listener.keysUrl)
  listener.publishKeys(jwkSet(keys))
  const answer = await call(`${keys.published!.url}?x=1`)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(await answer.json()).toEqual({ keys: [keys.published!.publicJwk] })
})

test('ids expire after a day, and the oldest make room', async () => {
  const start = Date.now()
  const first = listener.register()
  await call(first.url)
  const putBack = setClock(() => start + 25 * 3600 * 1000)
  try {
    expect(listener.hits(first.id)).toBe(0)
    const next = listener.register()
    for (let i = 0; i < 100_000; i++) listener.register()
    await call(next.url)
    expect(listener.hits(next.id)).toBe(0)
  } finally {
    putBack()
  }
})

test('targets may know it by another URL', async () => {
  const other = await CallbackListener.start({ ...ANY_PORT, callbackUrl: 'https://calls.example/v/' })
  const { id, url } = other.register()
  expect(url).toBe(`https://calls.example/v/${id}`)
  await other.close()
})

test('a port in use is reported', async () => {
  const port = Number(listener.address.split(':')[1])
  await expect(CallbackListener.start({ ...ANY_PORT, callbackPort: port })).rejects.toThrow(
    'CANNOT_LISTEN_FOR_CALLBACKS',
  )
})
