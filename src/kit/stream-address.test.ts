import { expect, test } from 'vitest'
import { readStreamAddress } from './stream-address.ts'

test('the URL of a stream names the broker, its servers, and how to sign in', () => {
  expect(readStreamAddress('kafka+tls://me:p%40ss@one,two:9093?sasl=SCRAM-SHA-512')).toEqual({
    kind: 'kafka',
    usesTls: true,
    servers: ['one:9092', 'two:9093'],
    user: 'me',
    password: 'p@ss',
    saslMechanism: 'SCRAM-SHA-512',
  })
  expect(readStreamAddress('nats://[::1]')).toMatchObject({
    kind: 'nats',
    servers: ['[::1]:4222'],
    user: null,
  })
})

test.for([
  'http://one:4222',
  'kafka://',
  'kafka://one:99999',
  'kafka://one?sasl=GSSAPI',
  'nats://one?sasl=PLAIN',
  'nats://one%zz@two:1:2',
])('%s is not the URL of a stream', (text) => {
  expect(() => readStreamAddress(text)).toThrow(expect.objectContaining({ code: 'BAD_SETTING_TEXT' }))
})
