import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import type { CarriedValue } from './carried-values.ts'
import type { LookupEndpoint } from './inventory-lookups.ts'
import { type Issued, isIssued, noteIssued } from './issued-values.ts'

function issuedBy(...answers: readonly (readonly [path: string, body: unknown])[]): Issued {
  const issued: Issued = new Map()
  for (const [path, body] of answers) {
    const sample = rawSample(`GET ${path} HTTP/1.1\nhost: watch.test\n\n`)
    const response = {
      ...sample.response,
      status: 200,
      headers: ['content-type', 'application/json'],
      body: JSON.stringify(body),
    }
    noteIssued(issued, 1, { ...sample, response })
  }
  return issued
}

function carried(key: string, value: string, part: CarriedValue['in'] = 'body'): CarriedValue {
  return { place: `BODY ${key}`, key, value, in: part }
}

const ENDPOINT = { id: 1, collectionId: 1, method: 'POST', url: '/alert' } as unknown as LookupEndpoint

test('what answers about the same resource repeat under the same name was chosen by callers', () => {
  const alerts = { alerts: [{ id: 'a-1', resource: 'olga-web' }] }
  const issued = issuedBy(['/alerts?page=1', alerts], ['/alert/a-1', { alert: alerts.alerts[0] }])
  expect(isIssued(issued, ENDPOINT, carried('resource', 'olga-web'))).toBe(false)
  expect(isIssued(issued, ENDPOINT, carried('resource', 'olga-web', 'query'))).toBe(true)
})

test('what the application gave out elsewhere, or under another name, may name an object', () => {
  const order = ['/alerts', { alerts: [{ account: 'acc-olga' }] }] as const
  const named = issuedBy(order, ['/accounts', { accounts: [{ id: 'acc-olga' }] }])
  expect(isIssued(named, ENDPOINT, carried('account', 'acc-olga'))).toBe(true)
  const alike = issuedBy(order, ['/api/v1/accounts', { accounts: [{ account: 'acc-olga' }] }])
  expect(isIssued(alike, ENDPOINT, carried('account', 'acc-olga'))).toBe(true)
  const often = issuedBy(...Array.from({ length: 20 }, () => order), ['/accounts', { id: 'acc-olga' }])
  expect(isIssued(often, ENDPOINT, carried('account', 'acc-olga'))).toBe(true)
  expect(isIssued(named, ENDPOINT, carried('account', 'acc-other'))).toBe(false)
})
