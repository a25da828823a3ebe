import { expect, test } from 'vitest'
import { addressKind, holds, listOf } from './address-kind.ts'

test.each([
  ['93.184.215.14', 'public'],
  ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', 'public'],
  ['10.1.2.3', 'private'],
  ['172.31.255.255', 'private'],
  ['172.32.0.1', 'public'],
  ['192.168.1.1', 'private'],
  ['100.64.0.1', 'private'],
  ['fd12::1', 'private'],
  ['127.0.0.1', 'loopback'],
  ['127.9.9.9', 'loopback'],
  ['0.0.0.0', 'loopback'],
  ['::1', 'loopback'],
  ['::', 'loopback'],
  ['169.254.1.1', 'link-local'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local'],
  ['224.0.0.1', 'unroutable'],
  ['255.255.255.255', 'unroutable'],
  ['ff02::1', 'unroutable'],
  ['no address', 'unroutable'],
])('%s is %s', (address, kind) => {
  expect(addressKind(address)).toBe(kind)
})

test.each([
  ['169.254.169.254'],
  ['169.254.170.2'],
  ['169.254.170.23'],
  ['169.254.42.42'],
  ['100.100.100.200'],
  ['168.63.129.16'],
  ['192.0.0.192'],
  ['fd00:ec2::254'],
  ['fd00:ec2::253'],
  ['fd00:ec2::23'],
  ['FD00:0EC2:0:0::23'],
  ['fd00:ec2::23%eth0'],
  ['fd20:ce::254'],
  ['fd20:00ce:0000::254'],
  ['fd00:42::42'],
  ['fd00:c1::a9fe:a9fe'],
  ['fe80::a9fe:a9fe'],
  ['fe80::a9fe:a9fe%2'],
])('%s is a metadata address', (address) => {
  expect(addressKind(address)).toBe('metadata')
})

test.each([
  ['IPv4-mapped', (ip: string) => [`::ffff:${ip}`, `::FFFF:${hex(ip)}`, `0:0:0:0:0:ffff:${ip}`]],
  ['IPv4-compatible', (ip: string) => [`::${ip}`, `::${hex(ip)}`, `0:0:0:0:0:0:${ip}`]],
  ['IPv4-translated', (ip: string) => [`::ffff:0:${ip}`, `::ffff:0:${hex(ip)}`]],
  ['NAT64', (ip: string) => [`64:ff9b::${ip}`, `64:ff9b::${hex(ip)}`]],
  ['local NAT64, /96', (ip: string) => [`64:ff9b:1::${ip}`, `64:ff9b:1:abcd:1:2:${hex(ip)}`]],
  ['local NAT64, /64', (ip: string) => [`64:ff9b:1:7:${rfc6052(ip, 64)}`]],
  ['local NAT64, /56', (ip: string) => [`64:ff9b:1:${rfc6052(ip, 56)}`]],
  ['local NAT64, /48', (ip: string) => [`64:ff9b:1:${rfc6052(ip, 48)}`]],
  ['6to4', (ip: string) => [`2002:${hex(ip)}::`, `2002:${hex(ip)}:1:2:3:4:5`]],
  [
    'Teredo',
    (ip: string) => [`2001:0:4136:e378:8000:63bf:${inverted(ip)}`, `2001::${hex(ip)}:0:0:a247:2be0`],
  ],
  ['ISATAP', (ip: string) => [`2620:1::5efe:${ip}`, `2620:1::200:5efe:${hex(ip)}`]],
] as const)('%s: an address is judged by the address inside', (_name, spellings) => {
  const kinds = (ip: string) => [...new Set(spellings(ip).map((text) => `${addressKind(text)}`))]
  expect(kinds('169.254.169.254')).toEqual(['metadata'])
  expect(kinds('168.63.129.16')).toEqual(['metadata'])
  expect(kinds('127.0.0.1')).toEqual(['loopback'])
  expect(kinds('10.1.2.3')).toEqual(['private'])
})

test.each([
  ['::ffff:93.184.215.14', 'public'],
  ['64:ff9b::5db8:d70e', 'public'],
  ['2002:5db8:d70e::1', 'public'],
  ['2002:5db8:d70e::a9fe:a9fe', 'public'],
  ['::ffff:0:93.184.215.14', 'public'],
  ['64:ff9b:1::5db8:d70e', 'public'],
  ['::93.184.215.14', 'public'],
  ['2606:4700::a9fe:a9fe', 'public'],
])('%s, whose inside is public, is %s', (address, kind) => {
  expect(addressKind(address)).toBe(kind)
})

test('a list of IPv4 addresses holds the IPv6 forms of them', () => {
  const list = listOf(['10.0.0.0/8'])
  for (const address of [
    '10.1.2.3',
    '::ffff:10.1.2.3',
    '64:ff9b::10.1.2.3',
    '::10.1.2.3',
    '::ffff:0:10.1.2.3',
  ])
    expect([address, holds(list, address)]).toEqual([address, true])
  for (const address of ['11.1.2.3', '::ffff:11.1.2.3', '64:ff9b::11.1.2.3', '2606:4700::a01:203'])
    expect([address, holds(list, address)]).toEqual([address, false])
})

/** The last two groups of an address: `a9fe:a9fe`. */
function hex(ip: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ip.split('.').map(Number)
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
}

/** Teredo writes the address of the client with all bits turned (RFC 4380, section 4). */
function inverted(ip: string): string {
  return hex(
    ip
      .split('.')
      .map((part) => 255 - Number(part))
      .join('.'),
  )
}

/** What follows the first 48 (56, 64) bits, where the prefix has that length (RFC 6052, section 2.2). */
function rfc6052(ip: string, prefixLength: 48 | 56 | 64): string {
  const [a = 0, b = 0, c = 0, d = 0] = ip.split('.').map(Number)
  const bytes =
    prefixLength === 48
      ? [a, b, 0, c, d, 0, 0, 0, 0, 0]
      : prefixLength === 56
        ? [9, a, 0, b, c, d, 0, 0, 0, 0]
        : [0, a, b, c, d, 0, 0, 0]
  const groups = bytes.flatMap((byte, at) => (at % 2 === 0 ? [(byte << 8) | bytes[at + 1]!] : []))
  return groups.map((group) => group.toString(16)).join(':')
}
