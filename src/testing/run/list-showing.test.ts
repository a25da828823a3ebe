import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import type { Exchange } from '../../http/index.ts'
import { listShowing } from './list-showing.ts'

function answered(line: string, sent: unknown, body: unknown): Exchange {
  const exchange = rawSample(
    `${line} HTTP/1.1\nhost: bank.test\ncontent-type: application/json\n\n${sent === null ? '' : JSON.stringify(sent)}`,
  )
  const headers = ['content-type', 'application/json']
  return { ...exchange, response: { ...exchange.response, status: 200, headers, body: JSON.stringify(body) } }
}

const WRITE = answered('PUT /transfer', { from: 2, to: 5, ammount: 30 }, { success: true, id: 7 })
const ENTRY = { id: 7, custID_from: 2, custID_to: 5, amount: 30, status: 'CREATED' }
const OTHER = { id: 2, custID_from: 4, custID_to: 5, amount: 12.5, status: 'COMPLETE' }

function list(path: string, ...entries: readonly unknown[]): Exchange {
  return answered(`GET ${path}`, null, { success: true, transfers: entries })
}

test('the list of what a request made is found by the identifier and the values, whatever it is called', () => {
  const customers = list('/get_customers', { id: 7, name: 'Robert', company: 2 })
  const found = listShowing(WRITE, [WRITE, customers, list('/get_transfers', OTHER, ENTRY)])
  expect(found).toMatch(/\/get_transfers$/)
})

test.each<[string, Exchange, Exchange]>([
  ['has the identifier only', WRITE, list('/get_customers', { id: 7, name: 'Robert', company: 2 })],
  ['has another value', WRITE, list('/get_transfers', { ...ENTRY, amount: 31 })],
  ['has another identifier', WRITE, list('/get_transfers', { ...ENTRY, id: 8 })],
  ['may have a secret in its query', WRITE, list('/get_transfers?key=1', ENTRY)],
  [
    'shows one value, which may be equal by chance',
    answered('PUT /transfer', { from: 2 }, { id: 7 }),
    list('/get_transfers', ENTRY),
  ],
  [
    'shows what an answer does not name',
    answered('PUT /transfer', { from: 2, to: 5 }, { success: true }),
    list('/get_transfers', ENTRY),
  ],
])('a list that %s is not the list of what a request made', (_, write, one) => {
  expect(listShowing(write, [write, one])).toBeNull()
})
