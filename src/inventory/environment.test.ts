import { describe, expect, it } from 'vitest'
import { environmentOf } from './environment.ts'

const HOSTS: readonly (readonly [string, string | undefined])[] = [
  ['api.staging.shop.com', 'STAGING'],
  ['dev-api.shop.com', 'DEV'],
  ['api-uat1.shop.com', 'UAT'],
  ['qa2.shop.co.uk:8443', 'QA'],
  ['preprod.api.shop.com', 'PREPROD'],
  ['pre-prod.shop.com', 'PREPROD'],
  ['nonprod-api.shop.com', 'STAGING'],
  ['non-prod.shop.com', 'STAGING'],
  ['pr-1234.preview.shop.com', 'DEV'],
  ['integ.shop.com', 'INTEG'],
  ['sandbox.shop.com', 'STAGING'],
  ['api.internal.shop.com', 'INTERNAL'],
  ['cart.shop.svc.cluster.local', 'STAGING'],
  ['localhost:3000', 'STAGING'],
  ['kubernetes.default.svc', 'INTERNAL'],
  ['api.prod.shop.com', 'PRODUCTION'],
  ['www.lancet.com', undefined],
  ['api.shop.com', undefined],
  ['dev.to', undefined],
  ['test.com', undefined],
  ['interview.shop.com', undefined],
  ['product-api.shop.com', undefined],
  ['developer.shop.com', undefined],
  ['10.0.0.1', undefined],
  ['', undefined],
]

describe('environmentOf', () => {
  for (const [host, wanted] of HOSTS) {
    it(`says ${wanted ?? 'nothing'} of ${host || 'no host'}`, () => expect(environmentOf(host)).toBe(wanted))
  }

  it('believes labels before host names', () => {
    expect(environmentOf('api.shop.com', { env: 'qa' })).toBe('QA')
    expect(environmentOf('dev.shop.com', { 'kubernetes.io/namespace': 'shop-production' })).toBe('PRODUCTION')
    expect(environmentOf('dev.shop.com', { team: 'qa' })).toBe('DEV')
  })
})
