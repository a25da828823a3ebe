import type { RecordingClient } from '../../../test/recording-client.ts'
import { jsonOf } from '../record.ts'
import type { Target, Visit } from '../target.ts'

/** OWASP Juice Shop: two fresh customers and the administrator that the application comes with. */
export const juiceShop: Target = {
  name: 'juice-shop',
  sound: false,
  make: 'Node.js, REST, single page',
  source: 'github.com/juice-shop/juice-shop 20.1.1',
  prepare: () => Promise.resolve(visit),
  routes: () => Promise.resolve([]),
  volatile: [],
  weaknesses: [],
  judged: [],
}

const visit: Visit = async (client, person) => {
  if (person !== 'administrator') {
    if (person === 'owner') await lookAround(client)
    return juiceCustomer(client, person === 'owner' ? 'alice' : 'bob')
  }
  await juiceSignIn(client, 'admin@juice-sh.op', 'admin123')
  await client.call('GET', '/api/Users')
  await client.call('GET', '/rest/user/authentication-details/')
  await client.call('GET', '/api/Feedbacks')
  await client.call('GET', '/api/Complaints')
}

async function lookAround(client: RecordingClient): Promise<void> {
  for (const path of [
    '/rest/admin/application-version',
    '/rest/admin/application-configuration',
    '/rest/languages',
    '/api/Challenges/?name=Score%20Board',
    '/api/SecurityQuestions',
    '/rest/country-mapping',
  ])
    await client.call('GET', path)
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
