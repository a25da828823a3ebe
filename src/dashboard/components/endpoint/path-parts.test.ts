import { describe, expect, it } from 'vitest'
import { endpointLabel, pathParts } from './path-parts.ts'

describe('endpointLabel', () => {
  it.each([
    ['/rest/basket/INTEGER', '/rest/basket/{basketId}'],
    [
      'https://shop.test/orders/INTEGER/line-items/STRING',
      'https://shop.test/orders/{orderId}/line-items/{lineItemId}',
    ],
    ['/a/INTEGER/INTEGER', '/a/{aId}/{aId2}'],
    ['/INTEGER', '/{id}'],
    ['/jobs/STRING:cancel', '/jobs/{jobId}:cancel'],
    ['/reports/INTEGER.pdf', '/reports/{reportId}.pdf'],
    ['/categories/OBJECT_ID/', '/categories/{categoryId}/'],
    ['/api/STRING_TABLE', '/api/STRING_TABLE'],
  ])('shows %s as %s', (url, expected) => {
    expect(endpointLabel({ method: 'GET', url })).toBe(`GET ${expected}`)
  })

  it('does not change a URL without parameters', () => {
    expect(pathParts('/words/STRING', false).parts).toEqual([{ kind: 'text', text: '/words/STRING' }])
  })
})
