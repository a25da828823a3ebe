import { expect, test } from 'vitest'
import type { Exchange } from '../../http/index.ts'
import { type ActorSetup, actorRules } from './actor-rules.ts'
import { canonicalAddress } from './address.ts'
import { findActor } from './find-actor.ts'

const SETUP: ActorSetup = {
  trustedProxies: ['198.51.100.0/24', '2001:db8:1::/48'],
  trustsPrivate: true,
  forwardingHeaders: [],
  headerRules: [],
  hashKey: '00'.repeat(32),
  countryFile: null,
}

function exchange(clientIp: string, headers: string[] = []): Exchange {
  return {
    request: {
      method: 'GET',
      target: '/',
      version: 'HTTP/1.1',
      headers: ['Host', 'Shop.Test', ...headers],
      body: '',
    },
    response: { status: 200, reason: '', headers: [], body: '' },
    at: 1_769_854_500,
    clientIp,
    serverIp: '',
    source: 'MIRRORING',
    direction: 1,
    vxlanId: 0,
  }
}

const found = (given: Exchange, change: Partial<ActorSetup> = {}) =>
  findActor(given, actorRules({ ...SETUP, ...change }))

test.each([
  ['203.0.113.9', '203.0.113.9'],
  [' 203.0.113.9:646 ', '203.0.113.9'],
  ['[2001:DB8:0:0::9]:443', '2001:db8::9'],
  ['"[2001:db8::9]"', '2001:db8::9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['::ffff:cb00:7109', '203.0.113.9'],
  ['fe80::1%eth0', 'fe80::1'],
  ['unknown', ''],
  ['_hidden', ''],
  ['999.1.1.1', ''],
  ['', ''],
  ['1'.repeat(500), ''],
])('the address %j is %j', (text, address) => {
  expect(canonicalAddress(text)).toBe(address)
})

test('a caller that is not a trusted proxy is the actor, whatever its headers say', () => {
  expect(found(exchange('8.8.8.8', ['X-Forwarded-For', '1.1.1.1']))).toEqual({
    id: '8.8.8.8',
    ip: '8.8.8.8',
    country: 'US',
  })
})

test.each([
  ['10.0.0.1', '6.6.6.6, 203.0.113.9', '203.0.113.9'],
  ['10.0.0.1', '6.6.6.6, 203.0.113.9, 198.51.100.7, 10.1.1.1', '203.0.113.9'],
  ['198.51.100.7', '203.0.113.9:5500', '203.0.113.9'],
  ['2001:db8:1::5', '2001:db8:2::9', '2001:db8:2::9'],
  // What stands left of something that is no address is not believed.
  ['10.0.0.1', '6.6.6.6, forged, 10.0.0.2', '10.0.0.2'],
  ['10.0.0.1', 'forged', '10.0.0.1'],
  ['10.0.0.1', '10.9.9.9, 10.0.0.2', '10.9.9.9'],
  ['', '6.6.6.6, 203.0.113.9', '203.0.113.9'],
])('behind %s the chain %s is walked from the right to %s', (peer, chain, actor) => {
  expect(found(exchange(peer, ['x-forwarded-for', chain]))?.id).toBe(actor)
})

test('repeated headers are one chain, and a chain without end is cut on its left', () => {
  const repeated = exchange('10.0.0.1', [
    'x-forwarded-for',
    '6.6.6.6',
    'X-Forwarded-For',
    '203.0.113.9, 10.0.0.5',
  ])
  expect(found(repeated)?.id).toBe('203.0.113.9')
  const endless = exchange('10.0.0.1', ['x-forwarded-for', `6.6.6.6, ${'10.0.0.1, '.repeat(9_000)}10.0.0.1`])
  expect(found(endless)?.id).toBe('10.0.0.1')
})

test('the Forwarded header is read, other headers only when they are named', () => {
  const given = exchange('10.0.0.1', [
    'forwarded',
    'for=6.6.6.6;proto=http, proto=https; For="[2001:db8:2::9]:4711";by=10.0.0.1',
    'true-client-ip',
    '203.0.113.77',
  ])
  expect(found(given)?.id).toBe('2001:db8:2::9')
  expect(found(given, { forwardingHeaders: ['true-client-ip'] })?.id).toBe('203.0.113.77')
})

test('private callers are believed only while the setting says so', () => {
  const given = exchange('10.0.0.1', ['x-forwarded-for', '203.0.113.9'])
  expect(found(given, { trustsPrivate: false })?.id).toBe('10.0.0.1')
})

test('a request without an address has no actor', () => {
  expect(found(exchange(''))).toBeNull()
})

test('a header names the actor on hosts that fit, by a keyed hash and a hint that do not give it away', () => {
  const headerRules = [{ header: 'Authorization', hostPattern: '^shop\\.' }]
  const token = 'Bearer secret-token-of-ada'
  const given = exchange('203.0.113.9', ['authorization', token])
  const actor = found(given, { headerRules })!
  expect(actor.ip).toBe('203.0.113.9')
  expect(actor.id).toMatch(/^authorization:[0-9a-f]{16}…_ada$/)
  expect(found(given, { headerRules, hashKey: '11'.repeat(32) })!.id).not.toBe(actor.id)
  expect(found(exchange('203.0.113.9', ['authorization', 'short']), { headerRules })!.id).toMatch(
    /^authorization:[0-9a-f]{16}$/,
  )
  expect(found(exchange('203.0.113.9'), { headerRules })!.id).toBe('203.0.113.9')
  expect(found(given, { headerRules: [{ header: 'authorization', hostPattern: '^other' }] })!.id).toBe(
    '203.0.113.9',
  )
})

test('an operator’s file that cannot be read is named', () => {
  expect(() => actorRules({ ...SETUP, countryFile: '/no/such/file.mmdb' })).toThrow('COUNTRY_FILE_UNREADABLE')
})
