import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import type { Exchange } from '../../http/index.ts'
import { EMPTY_LOOKUPS, type Lookups } from '../../rules/index.ts'
import { entriesOf, isSameObject, type Leaf, showsObject } from './list-entries.ts'
import { hasPrivateValue } from './private-values.ts'

function answered(body: unknown): Exchange {
  const exchange = rawSample('GET http://work.test/ HTTP/1.1\nhost: work.test\n\n')
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const type = typeof body === 'string' ? 'text/csv' : 'application/json'
  return { ...exchange, response: { ...exchange.response, headers: ['content-type', type], body: text } }
}

const INVOICE = { id: 1, customer: 'Ann', currency: 'EUR', amount: 99.5, paid: true }
const LIST = answered({
  total: 2,
  invoices: [
    { id: 2, customer: 'Zoe', currency: 'USD', amount: 7, paid: false },
    { ...INVOICE, lines: [{ name: 'Pen' }] },
  ],
})
const [ENTRY, OTHER] = [entriesOf(LIST, '1')[0]!, entriesOf(LIST, '2')[0]!]

test('an entry has the values of one object of a list, with its parts', () => {
  expect(ENTRY.map(({ value }) => value)).toEqual([1, 'Ann', 'EUR', 99.5, true, 'Pen'])
  expect(OTHER.map(({ value }) => value)).toEqual([2, 'Zoe', 'USD', 7, false])
  expect(entriesOf(LIST, '3')).toEqual([])
  expect(entriesOf(answered({ id: 1 }), '1')).toEqual([])
})

test('an entry may be called by the path of its object', () => {
  const note = { name: 'notes/a7', creator: 'users/ann', content: 'Plans', pinned: true, place: 'Bonn' }
  const [entry] = entriesOf(answered({ notes: [{ ...note, name: 'notes/xa7' }, note] }), 'a7')
  expect(entry?.map(({ value }) => value)).toEqual(Object.values(note))
  const shows = (body: unknown): boolean => showsObject(entry!, 'a7', answered(body), EMPTY_LOOKUPS)
  expect(shows(note)).toBe(true)
  expect(shows({ ...note, parts: [{ unit: 'box' }, { unit: 'bag' }] })).toBe(true)
  expect(shows({ ...note, content: 'Diary' })).toBe(false)
})

test('an entry shows an object that has its values, not one that is only called alike', () => {
  const shows = (body: unknown, entry: readonly Leaf[] = ENTRY): boolean =>
    showsObject(entry, '1', answered(body), EMPTY_LOOKUPS)
  expect(shows(INVOICE)).toBe(true)
  expect(shows({ data: { ...INVOICE, note: 'late' } })).toBe(true)
  const { paid: _, ...four } = INVOICE
  expect(shows({ ...four, note: 'late' })).toBe(true)
  expect(shows({ ...INVOICE, amount: 20 })).toBe(false)
  expect(shows({ ...INVOICE, note: 'a', terms: 'b' })).toBe(false)
  expect(shows(INVOICE, OTHER)).toBe(false)
  expect(shows({ ...INVOICE, passport: 'C01X00T47' })).toBe(false)
  expect(shows('id,customer\n1,Ann')).toBe(false)
  expect(shows('')).toBe(false)
})

test('an entry shows an object that has its fields, with parts that no list has', () => {
  const parts = { lines: [{ article: 'Pen', pieces: 3, unit: 'box' }], seller: { town: 'Bonn', code: 'B7' } }
  const shows = (body: unknown): boolean => showsObject(ENTRY, '1', answered(body), EMPTY_LOOKUPS)
  expect(shows({ ...INVOICE, ...parts })).toBe(true)
  expect(shows({ data: { ...INVOICE, note: 'late', ...parts } })).toBe(true)
  expect(shows({ ...INVOICE, note: 'a', terms: 'b', ...parts })).toBe(false)
  expect(shows({ ...INVOICE, notes: ['a', 'b'], ...parts })).toBe(false)
  expect(shows({ ...INVOICE, ...parts, payer: { iban: 'DE02' } })).toBe(false)
  expect(shows({ ...INVOICE, ...parts, amount: 20 })).toBe(false)
})

test('fields next to the identifier that only say what an object is called do not stand for it', () => {
  const entry = { id: '1', type: 'accounts', attributes: { name: 'Ann', currency: 'EUR', open: true } }
  const shows = (body: unknown): boolean =>
    showsObject(entriesOf(answered({ data: [entry] }), '1')[0]!, '1', answered(body), EMPTY_LOOKUPS)
  const secrets = { limit: 9000, turnover: 77, notes: 'late payer', rating: 'C' }
  expect(shows({ data: { id: '1', type: 'accounts', attributes: secrets } })).toBe(false)
  expect(shows({ id: '1', _embedded: { account: secrets } })).toBe(false)
  expect(shows({ data: entry })).toBe(true)
})

test('an entry is that of an object that repeats its values, if these tell more than its name', () => {
  const isSame = (entry: object, object: object): boolean =>
    isSameObject(entriesOf(answered([entry]), '1')[0]!, '1', answered(object))
  const full = { ...INVOICE, lines: [{ name: 'Pen', price: 99.5 }], history: ['made', 'sent'] }
  expect(isSame(INVOICE, full)).toBe(true)
  expect(isSame({ ...INVOICE, amount: 20 }, full)).toBe(false)
  expect(isSame({ id: 1, paid: true, currency: 'EUR' }, full)).toBe(false)
})

test('names and data types tell what people keep to themselves; a body that is not read holds it', () => {
  const lookups: Lookups = {
    ...EMPTY_LOOKUPS,
    matchesDataType: (name, _key, value) => name === 'IBAN' && value === 'DE02',
  }
  const isPrivate = (body: unknown): boolean => hasPrivateValue(answered(body), lookups)
  for (const name of ['credit_card', 'passportNo', 'dob', 'taxId', 'national_id', 'payment', 'accountNumber'])
    expect([name, isPrivate({ [name]: 'x' })]).toEqual([name, true])
  for (const name of ['geburtsdatum', 'adresse', 'telefon', 'contrase\u00f1a', 'senha', 'gehalt'])
    expect([name, isPrivate({ [name]: 'x' })]).toEqual([name, true])
  expect(isPrivate({ konto: 'DE02' })).toBe(true)
  expect(isPrivate({ secret: '', token: null })).toBe(false)
  expect(isPrivate({ name: 'new', variants: [{ weight: 50 }] })).toBe(false)
  expect(isPrivate([])).toBe(false)
  expect(isPrivate('id,salary\n1,9000')).toBe(true)
})
