import { expect, test } from 'vitest'
import { bodyBytes, bodyFromBytes, bodyFromText } from './body-text.ts'

test('reads UTF-8 bytes as text', () => {
  expect(bodyFromBytes(Buffer.from('é😀'))).toEqual({ body: 'é😀' })
  expect(bodyFromBytes(new Uint8Array())).toEqual({ body: '' })
})

test('reads the charset that the content type names', () => {
  expect(bodyFromBytes(Buffer.from([0xe9]), 'text/plain; charset=ISO-8859-1')).toEqual({ body: 'é' })
  expect(bodyFromBytes(Buffer.from('hé', 'utf16le'), 'text/plain; charset="utf-16le"')).toEqual({
    body: 'hé',
  })
})

test('keeps bytes that are not text as Base64', () => {
  const base64 = { body: '6Q==', bodyIsBase64: true }
  expect(bodyFromBytes(Buffer.from([0xe9]))).toEqual(base64)
  expect(bodyFromBytes(Buffer.from([0xe9]), 'text/plain; charset=no-such')).toEqual(base64)
  expect(bodyFromBytes(Buffer.from('a\0b'))).toEqual({ body: btoa('a\0b'), bodyIsBase64: true })
})

test('gives the bytes back', () => {
  const bytes = Buffer.from([0, 255, 1])
  expect(bodyBytes(bodyFromBytes(bytes))).toEqual(bytes)
  expect(bodyBytes(bodyFromText('é'))).toEqual(Buffer.from('é'))
})
