import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import type { Exchange } from '../../http/index.ts'
import { MessageView } from '../../rules/index.ts'
import { QuotedAmounts } from './quoted-amounts.ts'

function answered(path: string, body: unknown): Exchange {
  const exchange = rawSample(`GET http://shop.test${path} HTTP/1.1\nhost: shop.test\n\n`)
  const headers = ['content-type', 'application/json']
  return { ...exchange, response: { ...exchange.response, headers, body: JSON.stringify(body) } }
}

/** The fields of a POST that repeat an amount which the application named in answers. */
function quotedIn(path: string, body: object, answers: readonly Exchange[]): string[] {
  const quotes = new QuotedAmounts()
  for (const answer of answers) quotes.learn(1, answer)
  const sample = rawSample(
    `POST http://shop.test${path} HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n${JSON.stringify(body)}`,
  )
  const names = { test: (text: string) => /^(?:amount|price)$/.test(text) }
  return quotes.of(1, new MessageView(sample), names as never).map(({ key }) => key)
}

test('a price that the application named for an object is quoted', () => {
  const products = answered('/products', [{ id: 7, price: 12 }])
  expect(quotedIn('/orders', { productId: 7, price: 12 }, [products])).toEqual(['price'])
  expect(quotedIn('/orders', { productId: 7, price: 9 }, [products])).toEqual([])
})

test('amounts of payments are not quoted by payments that were made, nor by the bounds of a payee', () => {
  const payees = answered('/payees', {
    payees: [{ id: 1, minimum_amount: 10, maxAmount: 10, amountLimit: 10 }],
  })
  const history = answered('/api/payments/history?page=1', [{ id: 1, payee_id: 1, amount: 10 }])
  expect(quotedIn('/api/payments/create', { payee_id: 1, amount: 10 }, [payees, history])).toEqual([])
  expect(quotedIn('/api/payments', { payee_id: 1, amount: 10 }, [payees, history])).toEqual([])
  const invoices = answered('/invoices', [{ id: 1, amount: 10 }])
  expect(quotedIn('/api/payments', { invoice_id: 1, amount: 10 }, [history, invoices])).toEqual(['amount'])
})

test('a payment that was made is not the quote of the next one', () => {
  const one = answered('/payments/5', { id: 5, payee_id: 1, amount: 10 })
  const pages = answered('/payments/search/recent', [{ id: 1, amount: 10 }])
  expect(quotedIn('/payments', { payee_id: 1, amount: 10 }, [one, pages])).toEqual([])
})

test('an amount is quoted for the object that has it, not for others that it names', () => {
  const sent = answered('/transactions', { items: [{ id: 5, recipient_id: 1, accountId: 3, amount: 10 }] })
  expect(quotedIn('/transfers', { recipient_id: 1, account_id: 3, amount: 10 }, [sent])).toEqual([])
  expect(quotedIn('/refunds', { transaction_id: 5, amount: 10 }, [sent])).toEqual(['amount'])
  const named = answered('/catalog', { products: [{ productId: 7, vendor_id: 4, price: 12 }] })
  expect(quotedIn('/orders', { productId: 7, price: 12 }, [named])).toEqual(['price'])
  expect(quotedIn('/orders', { vendor_id: 4, price: 12 }, [named])).toEqual([])
  const listed = answered('/api/invoices/list', [{ invoice_id: 8, customer_id: 2, amount: 30 }])
  expect(quotedIn('/pay', { invoice_id: 8, amount: 30 }, [listed])).toEqual(['amount'])
  expect(quotedIn('/pay', { customer_id: 2, amount: 30 }, [listed])).toEqual([])
})

test('neither a number that an object of another kind has by chance nor the amount itself is a quote', () => {
  const made = answered('/transactions', [
    { id: 3, amount: 2 },
    { id: 2, amount: 2 },
  ])
  expect(quotedIn('/bills', { biller_id: 1, card_id: 3, amount: 2 }, [made])).toEqual([])
  expect(quotedIn('/refunds', { transaction_id: 3, amount: 2 }, [made])).toEqual(['amount'])
  const menu = answered('/menu', [{ id: 3, price: 2 }])
  expect(quotedIn('/orders', { menu_item_id: 3, price: 2 }, [menu])).toEqual(['price'])
  expect(quotedIn('/orders', { item_id: 3, price: 2 }, [menu])).toEqual(['price'])
})

test.each(['administrative_fee', 'termination-fee', 'nominalAmount', 'price_per_minute', 'climaxPrice'])(
  'the name %s is not one of a bound',
  (name) => {
    const products = answered('/products', [{ id: 7, [name]: 12 }])
    expect(quotedIn('/orders', { productId: 7, price: 12 }, [products])).toEqual(['price'])
  },
)

test.each(['min_price', 'maxPrice', 'MAXIMUM_TOTAL', 'price-limit', 'atLeastAmount', 'totalMin'])(
  'the name %s is one of a bound',
  (name) => {
    const products = answered('/products', [{ id: 7, [name]: 12 }])
    expect(quotedIn('/orders', { productId: 7, price: 12 }, [products])).toEqual([])
  },
)
