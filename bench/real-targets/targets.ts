import type { RecordedAnswer } from '../../test/recording-client.ts'
import { type ObservedMessage, RecordingClient } from '../../test/recording-client.ts'

/** Headers that make somebody of a request. */
export type Identity = Readonly<Record<string, string>>

/** Who tests act as in a role. */
export interface RoleIdentity {
  /** ATTACKER_TOKEN_ALL is the second user. */
  readonly role: string
  readonly headers: Identity
}

/** What a mirror saw of the use of an application, and who its tests may act as. */
export interface Recorded {
  readonly messages: readonly ObservedMessage[]
  readonly roles: readonly RoleIdentity[]
}

/** Applications that this folder can use as their own clients would, by name. */
export const RECORDERS: Readonly<Record<string, (origin: string) => Promise<Recorded>>> = {
  'juice-shop': recordJuiceShop,
  ...Object.fromEntries(
    ['authz1', 'authz2', 'jwt1', 'jwt2', 'csrf1', 'csrf2', 'csrf3'].map((variant) => [
      `websheep-${variant}`,
      (origin: string) => recordWebsheep(origin, variant),
    ]),
  ),
}

function jsonOf<T>({ text, status }: RecordedAnswer): T {
  if (status >= 400) throw new Error(`the target answered ${status}: ${text.slice(0, 200)}`)
  return JSON.parse(text) as T
}

/** OWASP Juice Shop: two fresh customers and the administrator that the application comes with. */
async function recordJuiceShop(origin: string): Promise<Recorded> {
  const visitor = new RecordingClient(origin, '203.0.113.40')
  for (const path of [
    '/rest/admin/application-version',
    '/rest/admin/application-configuration',
    '/rest/languages',
  ])
    await visitor.call('GET', path)
  await visitor.call('GET', '/api/Challenges/?name=Score%20Board')
  await visitor.call('GET', '/api/SecurityQuestions')
  await visitor.call('GET', '/rest/country-mapping')
  const admin = new RecordingClient(origin, '203.0.113.30')
  await juiceSignIn(admin, 'admin@juice-sh.op', 'admin123')
  await admin.call('GET', '/api/Users')
  await admin.call('GET', '/rest/user/authentication-details/')
  await admin.call('GET', '/api/Feedbacks')
  await admin.call('GET', '/api/Complaints')
  const second = new RecordingClient(origin, '203.0.113.20')
  await juiceCustomer(second, 'bob')
  const first = new RecordingClient(origin, '203.0.113.10')
  await juiceCustomer(first, 'alice')
  return {
    messages: [visitor, admin, second, first].flatMap(({ messages }) => messages),
    roles: [
      { role: 'ATTACKER_TOKEN_ALL', headers: second.headers },
      { role: 'MEMBER', headers: second.headers },
      { role: 'ADMIN', headers: admin.headers },
    ],
  }
}

async function juiceSignIn(client: RecordingClient, email: string, password: string): Promise<number> {
  const answer = await client.call('POST', '/rest/user/login', { email, password })
  const { authentication } = jsonOf<{ authentication: { token: string; bid: number } }>(answer)
  client.headers = {
    authorization: `Bearer ${authentication.token}`,
    cookie: `language=en; token=${authentication.token}`,
  }
  return authentication.bid
}

/** What a customer of the shop does in a visit. */
async function juiceCustomer(client: RecordingClient, name: string): Promise<void> {
  const email = `${name}.${Date.now()}@shop.example`
  const password = `${name}-Passw0rd-1`
  const signedUp = await client.call('POST', '/api/Users/', {
    email,
    password,
    passwordRepeat: password,
    securityQuestion: { id: 2, question: "Mother's maiden name?" },
    securityAnswer: name,
  })
  const userId = jsonOf<{ data: { id: number } }>(signedUp).data.id
  await client.call('POST', '/api/SecurityAnswers/', { UserId: userId, answer: name, SecurityQuestionId: 2 })
  const basket = await juiceSignIn(client, email, password)
  await client.call('GET', '/rest/user/whoami')
  await client.call('GET', '/rest/products/search?q=apple')
  await client.call('GET', '/rest/products/1/reviews')
  await client.call('PUT', '/rest/products/1/reviews', { message: `${name} likes it`, author: email })
  await client.call('GET', '/api/Products/1?d=today')
  await client.call('GET', '/api/Quantitys/')
  const item = await client.call('POST', '/api/BasketItems/', { ProductId: 1, BasketId: basket, quantity: 1 })
  const { id } = jsonOf<{ data: { id: number } }>(item).data
  await client.call('GET', `/api/BasketItems/${id}`)
  await client.call('PUT', `/api/BasketItems/${id}`, { quantity: 2 })
  await client.call('GET', `/rest/basket/${basket}`)
  await client.call('POST', '/api/Addresss/', {
    country: 'Norway',
    fullName: name,
    mobileNum: 12345678,
    zipCode: '0150',
    streetAddress: 'Storgata 1',
    city: 'Oslo',
    state: 'Oslo',
  })
  const { data: addresses } = jsonOf<{ data: { id: number }[] }>(await client.call('GET', '/api/Addresss'))
  await client.call('GET', `/api/Addresss/${addresses[0]!.id}`)
  const card = { fullName: name, cardNum: 4111111111111111, expMonth: 1, expYear: 2088 }
  await client.call('POST', '/api/Cards/', card)
  const { data: cards } = jsonOf<{ data: { id: number }[] }>(await client.call('GET', '/api/Cards'))
  await client.call('GET', `/api/Cards/${cards[0]!.id}`)
  await client.call('GET', '/api/Deliverys')
  await client.call('GET', '/api/Deliverys/1')
  await client.call('PUT', `/rest/basket/${basket}/coupon/abc`)
  await client.call('GET', '/rest/wallet/balance')
  await client.call('PUT', '/rest/wallet/balance', { balance: 10, paymentId: cards[0]!.id })
  const placed = await client.call('POST', `/rest/basket/${basket}/checkout`, {
    couponData: '',
    orderDetails: {
      paymentId: String(cards[0]!.id),
      addressId: String(addresses[0]!.id),
      deliveryMethodId: '1',
    },
  })
  const order = jsonOf<{ orderConfirmation: string }>(placed).orderConfirmation
  await client.call('GET', '/rest/order-history')
  await client.call('GET', `/rest/track-order/${order}`)
  const captcha = jsonOf<{ captchaId: number; answer: string }>(await client.call('GET', '/rest/captcha/'))
  await client.call('POST', '/api/Feedbacks/', {
    captchaId: captcha.captchaId,
    captcha: captcha.answer,
    comment: `Fine shop (***${name})`,
    rating: 4,
  })
  await client.call('POST', '/api/Complaints/', { message: 'The bottle leaks.' })
  await client.call('POST', '/api/Recycles/', { quantity: 100, AddressId: addresses[0]!.id, isPickup: false })
  await client.call('GET', '/rest/memories')
  await client.call('GET', '/rest/deluxe-membership')
  await client.call('GET', '/rest/continue-code')
  await client.call('GET', '/rest/user/security-question?email=jim@juice-sh.op')
  await client.call('GET', '/rest/2fa/status')
  await client.call('GET', '/redirect?to=https://github.com/juice-shop/juice-shop')
  await client.call('POST', '/b2b/v2/orders', {
    cid: name,
    orderLinesData: '[{"productId": 12, "quantity": 1}]',
  })
}

const SHEEP_USERS = [
  { userName: 'foobar', password: 'zTAr@6y60PwJ' },
  { userName: 'karinelemarchand', password: '123456' },
] as const

/**
 * Websheep by Marmicode: one API in variants under paths of their own, each wrong in another way, used by two farmers.
 */
async function recordWebsheep(origin: string, variant: string): Promise<Recorded> {
  const messages: ObservedMessage[] = []
  const roles: RoleIdentity[] = []
  for (const [at, credentials] of SHEEP_USERS.entries()) {
    const client = new RecordingClient(origin, `203.0.113.${10 + at}`)
    await sheepDay(client, `/${variant}`, credentials)
    messages.push(...client.messages)
    if (at === 0) roles.push({ role: 'ATTACKER_TOKEN_ALL', headers: client.headers })
  }
  return { messages, roles }
}

async function sheepDay(
  client: RecordingClient,
  base: string,
  credentials: (typeof SHEEP_USERS)[number],
): Promise<void> {
  const answer = await client.call('POST', `${base}/tokens`, credentials)
  const { token, userId } = jsonOf<{ token?: string; userId: string }>(answer)
  const cookie = answer.headers.getSetCookie().map((text) => text.split(';', 1)[0]!)
  client.headers = token === undefined ? { cookie: cookie.join('; ') } : { authorization: `Bearer ${token}` }
  const farmer = `${base}/farmers/${userId}`
  const shown = jsonOf<Record<string, unknown>>(await client.call('GET', farmer))
  await client.call('PATCH', farmer, { firstName: shown['firstName'] })
  const { items } = jsonOf<{ items: { id: string }[] }>(await client.call('GET', `${farmer}/farms`))
  await client.call('GET', `${farmer}/sheep`)
  await client.call('POST', `${base}/sheep`, {
    name: 'Dolly',
    age: 1,
    eyeCount: 2,
    gender: 'female',
    ...(items[0] === undefined ? {} : { farm: { id: items[0].id } }),
  })
}
