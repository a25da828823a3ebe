import { type ObservedMessage, RecordingClient } from '../recording-client.ts'
import type { Market } from './server.ts'

/** Tokens of the three people of the market. */
export interface MarketTokens {
  readonly alice: string
  readonly bob: string
  readonly carol: string
}

/** A client of the market application. */
class MarketClient extends RecordingClient {
  constructor(origin: string, ip: string) {
    super(origin, ip, { 'user-agent': 'market-app/4.1' })
  }

  async signIn(name: string): Promise<string> {
    const { text } = await this.call('POST', '/api/v2/login', {
      email: `${name}@market.example`,
      password: `${name}-Passw0rd`,
    })
    const { token } = JSON.parse(text) as { token: string }
    this.headers = { ...this.headers, authorization: `Bearer ${token}` }
    return token
  }
}

/** What a customer does on an ordinary day. */
async function customerDay(client: MarketClient, name: string, own: OwnThings): Promise<string> {
  await client.call('POST', '/api/v2/login', { email: `${name}@market.example`, password: 'mistyped-1' })
  const token = await client.signIn(name)
  await client.call('GET', '/api/v2/home')
  await client.call('GET', '/api/v2/me')
  await client.call('PUT', '/api/v2/me', { name })
  await client.call('POST', '/api/v2/session', {})
  await client.call('GET', '/api/v2/wallet')
  await client.call('GET', '/api/v2/settings')
  await client.call('GET', '/api/v2/payment-methods')
  await client.call('GET', '/api/v2/addresses')
  await client.call('GET', '/api/v2/products?limit=10')
  await client.call('GET', '/api/v2/search?q=Kettle')
  await client.call('GET', '/api/v2/orders')
  for (const id of own.orders) {
    await client.call('GET', `/api/v2/orders/${id}`)
    await client.call('GET', `/api/v2/invoices?orderId=${id}`)
    await client.call('PATCH', `/api/v2/orders/${id}`, { address: own.address })
  }
  await client.call('POST', '/api/v2/messages/read', { messageId: own.message })
  await client.call('GET', `/api/v2/profiles/${own.profileId}`)
  await client.call('GET', `/api/v2/accounts/${own.id}`)
  await client.call('POST', '/api/v2/notes', { text: 'Ask for the blue kettle.' })
  await client.call('POST', '/api/v2/graphql', { query: '{ products { id name } }' })
  await client.call('POST', '/api/v2/cart', { productId: 7, quantity: 2 })
  await client.call('POST', '/api/v2/checkout', { orderId: own.orders[0], amount: own.total })
  await client.call('POST', '/api/v2/reviews', { stars: 4, text: 'Boils well.' })
  await client.call('POST', '/api/v2/mails/preview', { text: 'Dear customer, thank you.' })
  await client.call('GET', '/api/v2/files?name=terms.txt')
  await client.call('POST', `/api/v2/greeting?name=${name}`, {})
  await client.call('GET', '/api/v2/leave?to=/api/v2/home')
  await client.call('GET', '/api/v2/language?code=en')
  await client.call('GET', '/api/v2/news')
  await client.call('GET', '/api/v2/status')
  await client.call('GET', '/api/v2/tools/ping?host=localhost')
  await client.call('POST', '/api/v2/webhooks/test', { url: 'https://hooks.market.example/done' })
  await client.call(
    'POST',
    '/api/v2/catalog/import',
    '<?xml version="1.0"?><catalog><item><title>Kettle</title></item></catalog>',
    'application/xml',
  )
  return token
}

interface OwnThings {
  readonly id: number
  readonly orders: readonly number[]
  readonly total: number
  readonly address: string
  readonly message: number
  readonly profileId: string
}

/**
 * Lets two customers and the administrator use a market, and returns what a mirror would have seen, in the form of
 * live ingestion, with the tokens of the three.
 */
export async function recordMarketTraffic(
  market: Market,
): Promise<{ messages: ObservedMessage[]; tokens: MarketTokens }> {
  const own = (accountId: number, message: number): OwnThings => {
    const orders = market.state.orders.filter((order) => order.accountId === accountId)
    return {
      id: accountId,
      orders: orders.map(({ id }) => id),
      total: orders[0]!.total,
      address: orders[0]!.address,
      message,
      profileId: market.state.accountById(accountId)!.profileId,
    }
  }
  const admin = new MarketClient(market.origin, '203.0.113.30')
  const carol = await admin.signIn('carol')
  await admin.call('GET', '/api/v2/admin/accounts')
  await admin.call('POST', '/api/v2/admin/refunds', { orderId: 1001 })
  const visitor = new MarketClient(market.origin, '203.0.113.40')
  await visitor.call('POST', '/api/v2/login/pin', { email: 'bob@market.example', pin: '4827' })
  await visitor.call('POST', '/api/v2/partners/login', {
    user: 'bob@market.example',
    password: 'bob-Passw0rd',
  })
  const second = new MarketClient(market.origin, '203.0.113.20')
  const bob = await customerDay(second, 'bob', own(2, 72))
  const first = new MarketClient(market.origin, '203.0.113.10')
  const alice = await customerDay(first, 'alice', own(1, 71))
  return {
    messages: [...admin.messages, ...visitor.messages, ...second.messages, ...first.messages],
    tokens: { alice, bob, carol },
  }
}
