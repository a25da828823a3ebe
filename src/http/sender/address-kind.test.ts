import { expect, test } from 'vitest'
import { addressKind } from './address-kind.ts'

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
  ['169.254.169.254', 'metadata'],
  ['100.100.100.200', 'metadata'],
  ['fd00:ec2::254', 'metadata'],
  ['224.0.0.1', 'unroutable'],
  ['255.255.255.255', 'unroutable'],
  ['ff02::1', 'unroutable'],
  ['no address', 'unroutable'],
  // IPv4 in IPv6: mapped, in both spellings; NAT64; 6to4.
  ['::ffff:127.0.0.1', 'loopback'],
  ['::ffff:7f00:1', 'loopback'],
  ['::ffff:a9fe:a9fe', 'metadata'],
  ['64:ff9b::a9fe:a9fe', 'metadata'],
  ['64:ff9b::5db8:d70e', 'public'],
  ['64:ff9b::10.0.0.1', 'private'],
  ['2002:7f00:1::', 'loopback'],
  ['2002:5db8:d70e::1', 'public'],
])('%s is %s', (address, kind) => {
  expect(addressKind(address)).toBe(kind)
})
