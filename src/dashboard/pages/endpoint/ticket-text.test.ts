import { expect, it } from 'vitest'
import { ticketText } from './ticket-text.ts'

const endpoint = {
  id: { apiCollectionId: 1, method: 'GET', url: 'https://shop.test/users' },
  collectionName: 'shop',
  actualAuthType: ['UNAUTHENTICATED', 'SHOP_TICKET'],
  apiAccessTypes: ['PUBLIC', 'THIRD_PARTY'],
  sensitiveInResponse: ['EMAIL'],
  sensitiveInRequest: [],
  riskFactors: [],
  riskScore: 3,
  lastSeen: 0,
} satisfies Parameters<typeof ticketText>[0]

it('names kinds of authentication and of callers in words, and no date for what was never seen', () => {
  const text = ticketText(endpoint, 'https://vigil.test/apis/1')
  expect(text).toContain('| Authentication seen | No authentication, SHOP_TICKET |')
  expect(text).toContain('| Called from | Public, Third party |')
  expect(text).toContain('| Last seen | never |')
  expect(ticketText({ ...endpoint, lastSeen: 1_769_854_500 }, '')).toContain('2026-01-31T10:15:00.000Z')
})
