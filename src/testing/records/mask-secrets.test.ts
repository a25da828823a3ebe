import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import type { Exchange } from '../../http/index.ts'
import { SecretMask } from './mask-secrets.ts'

function exchangeOf(body: string, answer: string, isBase64 = false): Exchange {
  const plain = rawSample(`POST /login?pin=1234&order=12345 HTTP/1.1\nhost: shop.test\n\n${body}`)
  const { request, response } = plain
  const encoded = (text: string) => Buffer.from(text, 'latin1').toString('base64')
  return {
    ...plain,
    request: isBase64 ? { ...request, body: encoded(body), bodyIsBase64: true } : request,
    response: isBase64
      ? { ...response, body: encoded(answer), bodyIsBase64: true }
      : { ...response, body: answer },
  }
}

test('secrets in bodies of raw bytes are masked, and the bytes around them stay', () => {
  const mask = new SecretMask(['s3cret-of-ann', 'pass-wörd'])
  const bytes = `\xff\x00head s3cret-of-ann \xfe${Buffer.from('pass-wörd').toString('latin1')}\x01`
  const { value, secrets } = mask.noting(() => mask.exchange(exchangeOf(bytes, bytes, true)))
  const request = Buffer.from(value.request.body, 'base64').toString('latin1')
  const digestless = request.replace(/\*\*\*[0-9a-f]{6}/g, '***')
  expect(digestless).toBe('\xff\x00head s3cr*** \xfepass***\x01')
  expect(value.response.body).toBe(value.request.body)
  expect(secrets.get(value.request.body), 'administrators can have it back').toBe(
    Buffer.from(bytes, 'latin1').toString('base64'),
  )
  const innocent = exchangeOf('\xff nothing', '\xfe', true)
  expect(mask.exchange(innocent).request.body).toBe(innocent.request.body)
})

test('short secrets are masked where they are whole values', () => {
  const mask = new SecretMask(['1234', 'admin'])
  const { request, response } = mask.exchange(
    exchangeOf(
      '{"pin":"1234","text":"call 1234 now","role": "admin","n":12345}',
      '{"role":"admin","userPassword" : "admin","pinCode":"1234","id":"1234"}',
    ),
  )
  expect(request.target).toMatch(/\?pin=\*\*\*[0-9a-f]{6}&order=12345$/)
  expect(request.body).toMatch(
    /^\{"pin":"\*\*\*[0-9a-f]{6}","text":"call 1234 now","role": "\*\*\*[0-9a-f]{6}","n":12345\}$/,
  )
  expect(response.body, 'a word of an answer is no secret because somebody chose it for one').toMatch(
    /^\{"role":"admin","userPassword" : "\*\*\*[0-9a-f]{6}","pinCode":"\*\*\*[0-9a-f]{6}","id":"1234"\}$/,
  )
})

test('texts of one or two signs, and signs that patterns read, are handled', () => {
  const mask = new SecretMask(['a', 'ab', 'a.c', '(*)'])
  const { body } = mask.exchange(exchangeOf('{"a":"abc","b":"a.c","c":"ab","d":"(*)"}', '')).request
  expect(body).toMatch(/^\{"a":"abc","b":"\*\*\*[0-9a-f]{6}","c":"ab","d":"\*\*\*[0-9a-f]{6}"\}$/)
})
