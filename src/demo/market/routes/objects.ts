import { BAD_REQUEST, FORBIDDEN, forCallers, NOT_FOUND, type Route } from '../call.ts'

/** Routes whose weakness is a missing check of the owner (OWASP API1). */
export const objectRoutes: readonly Route[] = [
  forCallers('GET', /^\/api\/v2\/orders$/, (call, caller) => ({
    status: 200,
    body: { orders: call.state.orders.filter((order) => order.accountId === caller.id) },
  })),
  forCallers('GET', /^\/api\/v2\/orders\/(\d+)$/, (call, caller, [id]) => {
    const order = call.state.orders.find((candidate) => candidate.id === Number(id))
    if (order === undefined) return NOT_FOUND
    if (!call.has('order-of-others') && order.accountId !== caller.id) return FORBIDDEN
    return { status: 200, body: order }
  }),
  forCallers('PATCH', /^\/api\/v2\/orders\/(\d+)$/, (call, caller, [id]) => {
    const order = call.state.orders.find((candidate) => candidate.id === Number(id))
    if (order === undefined) return NOT_FOUND
    if (!call.has('order-change-of-others') && order.accountId !== caller.id) return FORBIDDEN
    const address = call.json?.['address']
    if (typeof address !== 'string' || address.length > 200) return BAD_REQUEST
    order.address = address
    return { status: 200, body: order }
  }),
  forCallers('GET', /^\/api\/v2\/invoices$/, (call, caller) => {
    const order = call.state.orders.find((candidate) => candidate.id === Number(call.query.get('orderId')))
    if (order === undefined) return NOT_FOUND
    if (!call.has('invoice-of-others') && order.accountId !== caller.id) return FORBIDDEN
    const payer = call.state.accountById(order.accountId)
    return {
      status: 200,
      body: { invoice: `INV-${order.id}`, orderId: order.id, total: order.total, payer: payer?.email },
    }
  }),
  forCallers('POST', /^\/api\/v2\/messages\/read$/, (call, caller) => {
    const message = call.state.messages.find((candidate) => candidate.id === Number(call.json?.['messageId']))
    if (message === undefined) return NOT_FOUND
    if (!call.has('message-of-others') && message.accountId !== caller.id) return FORBIDDEN
    return { status: 200, body: { id: message.id, subject: message.subject, text: message.text } }
  }),
  forCallers('GET', /^\/api\/v2\/profiles\/([0-9a-f-]{36})$/, (call, caller, [id]) => {
    const profile = call.state.accounts.find((candidate) => candidate.profileId === id)
    if (profile === undefined) return NOT_FOUND
    if (!call.has('profile-of-others') && profile.id !== caller.id) return FORBIDDEN
    const { profileId, name, email, phone, city } = profile
    return { status: 200, body: { profileId, name, email, phone, city } }
  }),
  {
    method: 'GET',
    pattern: /^\/api\/(v1|v2)\/accounts\/(\d+)$/,
    answer: (call, [version, id]) => {
      if (version === 'v1' && !call.has('old-version')) return NOT_FOUND
      const caller = call.caller()
      if (version === 'v2' && caller === null) return { status: 401, body: { error: 'sign in first' } }
      const account = call.state.accountById(Number(id))
      if (account === undefined) return NOT_FOUND
      if (version === 'v2' && caller?.id !== account.id) return FORBIDDEN
      const { name, email, city } = account
      return { status: 200, body: { id: account.id, name, email, city } }
    },
  },
]
