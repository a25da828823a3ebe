import { type Answer, BAD_REQUEST, type Call, FORBIDDEN, forCallers, type Route } from '../call.ts'

const MAX_PAGE = 50
const MAX_NOTE = 1000
const MAX_BATCH = 5

/** Routes about amounts: of resources (OWASP API4) and of goods and money (OWASP API6). */
export const limitRoutes: readonly Route[] = [
  forCallers('GET', /^\/api\/v2\/products$/, (call) => {
    const wanted = Number(call.query.get('limit') ?? '10')
    if (!Number.isInteger(wanted) || wanted < 1) return BAD_REQUEST
    const limit = call.has('unbounded-page') ? wanted : Math.min(wanted, MAX_PAGE)
    return { status: 200, body: { products: call.state.products.slice(0, limit) } }
  }),
  forCallers('POST', /^\/api\/v2\/notes$/, (call, caller) => {
    const text = call.json?.['text']
    if (typeof text !== 'string') return BAD_REQUEST
    if (text.length > MAX_NOTE && !call.has('unbounded-text')) {
      return { status: 413, body: { error: `a note has at most ${MAX_NOTE} characters` } }
    }
    const note = { id: 1, accountId: caller.id, text }
    return { status: 201, body: note }
  }),
  forCallers('POST', /^\/api\/v2\/graphql$/, (call) => {
    let sent: unknown
    try {
      sent = JSON.parse(call.body)
    } catch {
      return BAD_REQUEST
    }
    if (!Array.isArray(sent)) return { status: 200, body: graphqlAnswer(call, sent) }
    if (sent.length > MAX_BATCH && !call.has('graphql-batch')) {
      return { status: 400, body: { errors: [{ message: `a batch has at most ${MAX_BATCH} operations` }] } }
    }
    return { status: 200, body: sent.slice(0, 1000).map((entry) => graphqlAnswer(call, entry)) }
  }),
  forCallers('POST', /^\/api\/v2\/cart$/, (call) => {
    const { productId, quantity } = call.json ?? {}
    const product = call.state.products.find((candidate) => candidate.id === productId)
    if (product === undefined || typeof quantity !== 'number') return BAD_REQUEST
    const isSound = Number.isInteger(quantity) && quantity > 0 && quantity <= 100
    if (!isSound && !call.has('negative-quantity')) {
      return { status: 422, body: { error: 'the quantity is a whole number from 1 to 100' } }
    }
    return { status: 200, body: { productId, quantity, total: product.price * quantity } }
  }),
  forCallers('POST', /^\/api\/v2\/checkout$/, checkout),
]

function checkout(call: Call): Answer {
  const { orderId, amount } = call.json ?? {}
  const order = call.state.orders.find((candidate) => candidate.id === orderId)
  if (order === undefined || typeof amount !== 'number') return BAD_REQUEST
  const caller = call.caller()
  if (caller?.id !== order.accountId) return FORBIDDEN
  if (amount !== order.total && !call.has('price-by-client')) {
    return { status: 422, body: { error: 'the amount is not that of the order' } }
  }
  return { status: 200, body: { orderId, charged: amount, status: 'paid' } }
}

/** Just enough of GraphQL: one field, no fragments; introspection is refused. */
function graphqlAnswer(call: Call, entry: unknown): unknown {
  const query = typeof entry === 'object' && entry !== null ? (entry as { query?: unknown }).query : undefined
  if (typeof query !== 'string') return { errors: [{ message: 'a query is needed' }] }
  if (/^\s*(?:query\s*)?\{\s*__typename\s*\}\s*$/.test(query)) return { data: { __typename: 'Query' } }
  if (!/\bproducts\b/.test(query)) return { errors: [{ message: 'the field is not known' }] }
  return { data: { products: call.state.products.slice(0, 3).map(({ id, name }) => ({ id, name })) } }
}
