import { describe, expect, it } from 'vitest'
import type { AccessRanges, AccessVerdict } from './access-type.ts'
import { AccessClassifier, accessTypeOf } from './access-type.ts'

function classify(
  clientIp: string,
  headers: Readonly<Record<string, string>> = {},
  ranges: AccessRanges = {},
  outbound = '',
): AccessVerdict {
  const view = {
    exchange: { clientIp, serverIp: outbound, direction: outbound === '' ? (1 as const) : (2 as const) },
    requestHeaders: Object.entries(headers).flat(),
  }
  return new AccessClassifier(ranges).classify(view)
}

describe('access type', () => {
  it('is private for callers in private ranges of both families', () => {
    for (const ip of [
      '10.1.2.3',
      '172.31.255.255',
      '192.168.0.9',
      '100.64.0.1',
      '127.0.0.1',
      '::1',
      'fd00::5',
      'fe80::1%eth0',
      '::ffff:10.0.0.1',
    ]) {
      expect(classify(ip).accessType).toBe('PRIVATE')
    }
  })

  it('is public for all others', () => {
    for (const ip of [
      '11.2.3.4',
      '172.32.0.1',
      '8.8.8.8',
      '2606:4700::1111',
      '::ffff:8.8.8.8',
      '100.128.0.1',
    ]) {
      expect(classify(ip).accessType).toBe('PUBLIC')
    }
  })

  it('believes headers only from trusted or private addresses', () => {
    expect(classify('203.0.113.9', { 'x-forwarded-for': '10.0.0.1' })).toEqual({
      accessType: 'PUBLIC',
      address: '203.0.113.9',
    })
    expect(classify('10.0.0.2', { 'x-forwarded-for': '203.0.113.9' })).toEqual({
      accessType: 'PUBLIC',
      address: '203.0.113.9',
    })
  })

  it('takes the right-most address that is not a proxy: those to its left may be forged', () => {
    const headers = { 'x-forwarded-for': '10.9.9.9, 198.51.100.7, 192.168.1.1' }
    expect(classify('10.0.0.2', headers).address).toBe('198.51.100.7')
    const ranges = { trustedProxies: ['198.51.100.0/24'] }
    expect(classify('10.0.0.2', { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' }, ranges).address).toBe(
      '203.0.113.9',
    )
  })

  it('reads ports, brackets, quotes and the Forwarded header', () => {
    expect(classify('10.0.0.2', { 'x-forwarded-for': '203.0.113.9:4711' }).accessType).toBe('PUBLIC')
    expect(classify('', { forwarded: 'for="[2001:db8:cafe::17]:4711";proto=https' }).accessType).toBe(
      'PUBLIC',
    )
    expect(classify('', { 'x-real-ip': '203.0.113.9' }).accessType).toBe('PUBLIC')
  })

  it('knows partners by range, not by a piece of text', () => {
    const ranges = { partnerRanges: ['198.51.100.0/28', '2001:db8:5::/48'] }
    expect(classify('198.51.100.15', {}, ranges).accessType).toBe('PARTNER')
    expect(classify('198.51.100.16', {}, ranges).accessType).toBe('PUBLIC')
    expect(classify('2001:db8:5:9::1', {}, ranges).accessType).toBe('PARTNER')
  })

  it('is third party for outbound calls to outside', () => {
    expect(classify('10.0.0.2', {}, {}, '203.0.113.9').accessType).toBe('THIRD_PARTY')
    expect(classify('10.0.0.2', {}, {}, '10.0.0.3').accessType).toBe('PRIVATE')
  })

  it('is derived from the server when no caller was recorded', () => {
    const view = (serverIp: string) => ({
      exchange: { clientIp: '', serverIp, direction: 1 as const },
      requestHeaders: [],
    })
    expect(accessTypeOf(view('203.0.113.9'))).toBe('PUBLIC')
    expect(accessTypeOf(view('10.0.0.9'))).toBe('PRIVATE')
  })

  it('is not told while no address is known', () => {
    expect(classify('').accessType).toBeNull()
    expect(classify('', { 'x-forwarded-for': 'unknown, garbage' }).accessType).toBeNull()
    const exchange = { clientIp: '', serverIp: '', direction: 1 as const }
    expect(accessTypeOf({ exchange, requestHeaders: [] })).toBeNull()
  })

  it('tells which ranges it could not read', () => {
    const ranges = { privateRanges: ['10.0.0.0/33', 'office', '192.0.2.0/24'], partnerRanges: ['::/129'] }
    expect(new AccessClassifier(ranges).rejected).toEqual(['10.0.0.0/33', 'office', '::/129'])
  })
})
