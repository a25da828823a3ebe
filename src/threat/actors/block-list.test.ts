import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { BlockedActor } from './actor-status.ts'
import { BLOCK_LIST_FORMATS, entityTag, makeBlockList, writeBlockList } from './block-list.ts'

const blocked = (actor: string, isAddress = true): BlockedActor => ({
  actor,
  isAddress,
  since: 1,
  until: 0,
  blockedBy: 'ada@example.org',
  reason: '',
})
const list = makeBlockList(
  [blocked('10.0.0.1'), blocked('2001:db8::9'), blocked('203.0.113.9'), blocked('x-client:00…"\n', false)],
  (address) => address.startsWith('10.'),
)
const none = makeBlockList([], () => false)

test('trusted proxies and actors that are not addresses are never published to gateways', () => {
  expect(list.addresses).toEqual(['2001:db8::9', '203.0.113.9'])
  expect(list.leftOut).toEqual(['10.0.0.1'])
  for (const format of BLOCK_LIST_FORMATS) {
    if (format === 'json') continue
    expect(writeBlockList(list, format)).not.toContain('10.0.0.1')
    expect(writeBlockList(list, format)).not.toContain('x-client')
  }
  expect(JSON.parse(writeBlockList(list, 'json'))).toMatchObject({ leftOut: ['10.0.0.1'] })
})

test('nginx gets one line an address', () => {
  expect(writeBlockList(list, 'nginx').split('\n').slice(1)).toEqual([
    'deny 2001:db8::9;',
    'deny 203.0.113.9;',
    '',
  ])
})

test('Envoy gets a filter that denies, also when it denies nobody', () => {
  const rules = (text: string) =>
    (parse(text) as { typed_config: { rules: { action: string; policies: Record<string, unknown> } } }[])[0]!
      .typed_config.rules
  expect(rules(writeBlockList(list, 'envoy'))).toEqual({
    action: 'DENY',
    policies: {
      blocked: {
        permissions: [{ any: true }],
        principals: [
          { remote_ip: { address_prefix: '2001:db8::9', prefix_len: 128 } },
          { remote_ip: { address_prefix: '203.0.113.9', prefix_len: 32 } },
        ],
      },
    },
  })
  expect(rules(writeBlockList(none, 'envoy'))).toEqual({ action: 'DENY', policies: {} })
})

test('Kong gets its plugin, switched off when nobody is blocked', () => {
  expect(parse(writeBlockList(list, 'kong'))).toEqual({
    _format_version: '3.0',
    plugins: [
      { name: 'ip-restriction', config: { deny: ['2001:db8::9/128', '203.0.113.9/32'], status: 403 } },
    ],
  })
  expect(parse(writeBlockList(none, 'kong'))).toMatchObject({ plugins: [{ enabled: false }] })
})

test('the ETag changes only with the text', () => {
  expect(entityTag(writeBlockList(list, 'text'))).toBe(entityTag('2001:db8::9\n203.0.113.9\n'))
  expect(entityTag('')).not.toBe(entityTag('a'))
  expect(entityTag('')).toMatch(/^"[\w-]{27}"$/)
})
