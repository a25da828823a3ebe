import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import { TargetScope } from './target-scope.ts'

const check = (scope: TargetScope, url: string): string | null => scope.check(new URL(url))

describe('hosts', () => {
  const scope = new TargetScope(
    ['shop.example', 'api.example:8443', '127.0.0.1:4000'],
    [],
    ['sso.example', '*.pay.example', 'one.example:9000'],
  )

  test.each([
    'http://shop.example/',
    'https://SHOP.example/',
    'https://api.example:8443/a',
    'http://127.0.0.1:4000/',
    // However an address is written, the URL parser gives it one form.
    'http://2130706433:4000/',
    'http://0x7f.1:4000/',
    'https://sso.example/',
    'https://sso.example:8443/',
    'https://a.b.pay.example/',
    'http://one.example:9000/',
  ])('%s is in scope', (url) => {
    expect(check(scope, url)).toBeNull()
  })

  test.each([
    'http://shop.example:8080/',
    'https://api.example/',
    'http://shop.example.evil.example/',
    'http://evil.example/?shop.example',
    'http://shop.example@evil.example/',
    'http://evil.example\\@shop.example/',
    'http://127.0.0.1:4001/',
    'http://[::1]:4000/',
    'http://pay.example/',
    'http://notpay.example/',
    'http://one.example/',
    'ftp://shop.example/',
    'file:///etc/passwd',
  ])('%s is not', (url) => {
    expect(check(scope, url)).not.toBeNull()
  })
})

describe('addresses', () => {
  const plain = new TargetScope(['shop.example'])

  test('of public names are public ones, unless the operator allows more', () => {
    expect(plain.checkAddress('93.184.215.14', 443, 'shop.example')).toBeNull()
    for (const address of ['10.0.0.5', '127.0.0.1', '::1', '192.168.0.1', '169.254.1.1'])
      expect(plain.checkAddress(address, 443, 'shop.example')).toContain('VIGIL_ALLOWED_TARGETS')
    const ranged = new TargetScope(['shop.example'], [], ['10.0.0.0/8'])
    expect(ranged.checkAddress('10.0.0.5', 443, 'shop.example')).toBeNull()
    expect(ranged.checkAddress('192.168.0.5', 443, 'shop.example')).not.toBeNull()
    const named = new TargetScope([], [], ['shop.example', '*.corp.example'])
    expect(named.checkAddress('10.0.0.5', 443, 'shop.example')).toBeNull()
    expect(named.checkAddress('10.0.0.5', 443, 'a.corp.example')).toBeNull()
  })

  test('behind names that are private by their form may be private', () => {
    for (const name of [
      'localhost',
      'api',
      'a.localhost',
      'shop.internal',
      'printer.local',
      '10.0.0.5',
      '[::1]',
    ])
      expect(plain.checkAddress('127.0.0.1', 80, name)).toBeNull()
  })

  test('of metadata services are refused until each is named', () => {
    const inventory = new TargetScope(['169.254.169.254', 'metadata.google.internal'])
    expect(check(inventory, 'http://169.254.169.254/latest')).toContain('metadata')
    expect(inventory.checkAddress('169.254.169.254', 80, 'metadata.google.internal')).not.toBeNull()
    const broad = new TargetScope(['169.254.169.254'], [], ['0.0.0.0/0'])
    expect(check(broad, 'http://169.254.169.254/latest')).not.toBeNull()
    const exact = new TargetScope([], [], ['169.254.169.254'])
    expect(check(exact, 'http://169.254.169.254/latest')).toBeNull()
  })

  test('a range allows addresses, not hosts', () => {
    const scope = new TargetScope(['shop.example'], [], ['10.0.0.0/8', '10.9.9.9'])
    expect(check(scope, 'http://10.0.0.7/')).not.toBeNull()
    expect(check(scope, 'http://10.9.9.9/')).toBeNull()
  })
})

describe('listeners of Vigil itself are never a target', () => {
  const mine = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address

  test.each<readonly [own: string, address: string, isRefused: boolean]>([
    ['127.0.0.1:9090', '127.0.0.1', true],
    ['127.0.0.1:9090', '127.0.0.2', true],
    ['127.0.0.1:9090', '::ffff:127.0.0.1', true],
    ['127.0.0.1:9090', '0.0.0.0', true],
    ['localhost:9090', '::1', true],
    ['0.0.0.0:9090', '127.0.0.1', true],
    ['[::]:9090', '::1', true],
    ['10.0.0.1:9090', '10.0.0.1', true],
    ['10.0.0.1:9090', '10.0.0.2', false],
    ['127.0.0.1:9090', '10.0.0.2', false],
    ...(mine === undefined ? [] : ([['0.0.0.0:9090', mine, true]] as const)),
  ])('%s as seen at %s', (own, address, isRefused) => {
    const scope = new TargetScope([], [own])
    expect(scope.checkAddress(address, 9090, 'localhost') !== null).toBe(isRefused)
    expect(scope.checkAddress(address, 9091, 'localhost')).toBeNull()
  })
})

test('a strict scope trusts no private name or address that the operator did not name', () => {
  const strict = new TargetScope(
    ['hooks.internal', '10.0.0.1', 'localhost:8065'],
    [],
    ['localhost:8065', '10.1.0.0/16'],
    {
      trustsPrivateNames: false,
      setting: 'VIGIL_ALLOWED_ALERT_TARGETS',
    },
  )
  expect(strict.checkAddress('10.0.0.7', 443, 'hooks.internal')).toContain('VIGIL_ALLOWED_ALERT_TARGETS')
  expect(strict.check(new URL('https://10.0.0.1/'))).toContain('private')
  expect(strict.checkAddress('127.0.0.1', 443, 'localhost')).toContain('own')
  expect(strict.checkAddress('127.0.0.1', 8065, 'localhost')).toBeNull()
  expect(strict.checkAddress('10.1.2.3', 443, 'hooks.internal')).toBeNull()
  expect(strict.checkAddress('93.184.215.14', 443, 'hooks.example')).toBeNull()
})
