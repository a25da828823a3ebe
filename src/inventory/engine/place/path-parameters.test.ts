import { expect, test } from 'vitest'
import { DEFAULT_RULES } from '../../../data-types/index.ts'
import { readSampleMessage, writeSampleMessage } from '../../../http/index.ts'
import { Batch } from '../intake/batch.ts'
import { ExchangeView } from '../learn/exchange-view.ts'
import { learnExchange } from '../learn/learn-exchange.ts'
import { maskTypes } from '../learn/mask-types.ts'
import { EndpointState, KeyTree } from '../state/index.ts'
import { pathParametersOf } from './path-parameters.ts'
import { targetOf } from './target.ts'

const SESSION = '0A1B2C3D4E5F60718293A4B5C6D7E8F9'

function exchangeAt(path: string) {
  const read = readSampleMessage({
    method: 'GET',
    path,
    requestHeaders: '{"host":"shop.example"}',
    responseHeaders: '{}',
    responsePayload: '',
    statusCode: '200',
    time: '1795000000',
  })
  if (typeof read === 'string') throw new Error(read)
  return read
}

test('parameters of a path are its variable segments and the matrix parameters of all segments', () => {
  expect(pathParametersOf('/cars/INTEGER', '/cars;color=dark%20red;used/7;v=2')).toEqual([
    { index: 1, name: '', value: '7' },
    { index: 0, name: 'color', value: 'dark red' },
    { index: 0, name: 'used', value: '' },
    { index: 1, name: 'v', value: '2' },
  ])
  expect(pathParametersOf('/cars', '/cars;share=50%')).toEqual([{ index: 0, name: 'share', value: '50%' }])
})

test('matrix parameters are learned by segment and name, and a session in one is a finding', () => {
  const path = `/cars/7;jsessionid=${SESSION}`
  const place = { collectionId: 1, method: 'GET', url: '/cars/INTEGER', origin: '', isTemplate: true }
  const exchange = exchangeAt(path)
  const batch = new Batch()
  const view = new ExchangeView(exchange, targetOf(exchange))
  learnExchange(new EndpointState(place, 1_795_000_000), view, pathParametersOf(place.url, path), batch, true)
  const facts = batch.touched.filter(({ kind }) => kind === 'PATH')
  expect(facts.map(({ name, type, isSensitive }) => [name, type, isSensitive])).toEqual([
    ['1', 'INTEGER_32', false],
    ['1#jsessionid', 'SESSION_ID', true],
  ])
})

test.each(['0', '1#color', '1#$', '1#*'])('the node of %s is found again by its name', (name) => {
  const tree = new KeyTree(() => 1, 'PATH', -1)
  const [index, matrix] = name.split('#') as [string, string | undefined]
  const segment = tree.child(tree.root, index)!
  const node = matrix === undefined ? segment : tree.child(segment, matrix)
  expect([node!.name, tree.nodeOf(name)]).toEqual([name, node])
})

test('a matrix parameter is masked by its own name', () => {
  const rules = { ...DEFAULT_RULES, redacted: new Set(['SESSION_ID']) }
  const masked = maskTypes(exchangeAt(`/cars;color=red;jsessionid=${SESSION}/7?x=1`), rules)
  expect(JSON.parse(writeSampleMessage(masked)).path).toBe('/cars;color=red;jsessionid=****/7?x=1')
})

test('a key in parentheses is masked by its own value, and what needs no mask stays as it came', () => {
  const rules = { ...DEFAULT_RULES, redacted: new Set(['EMAIL']) }
  const pathOf = (path: string) => JSON.parse(writeSampleMessage(maskTypes(exchangeAt(path), rules))).path
  expect(pathOf("/odata/Customers('ann%40mail.example')/Orders(Row=1,To='bob@mail.example')")).toBe(
    "/odata/Customers('****')/Orders(Row=1,To='****')",
  )
  expect(pathOf('/odata/Customers%28%27A%27%29')).toBe('/odata/Customers%28%27A%27%29')
  expect(pathOf("/odata/Customers('ann@mail.example'):cancel")).toBe("/odata/Customers('****'):cancel")
})

test('the part before a file extension is masked separately', () => {
  const rules = { ...DEFAULT_RULES, redacted: new Set(['EMAIL']) }
  const pathOf = (path: string) => JSON.parse(writeSampleMessage(maskTypes(exchangeAt(path), rules))).path
  expect(pathOf('/users/ann%40mail.example.json?x=1')).toBe('/users/****.json?x=1')
})

test('the part before a custom verb is masked separately', () => {
  const rules = { ...DEFAULT_RULES, redacted: new Set(['EMAIL']) }
  const pathOf = (path: string) => JSON.parse(writeSampleMessage(maskTypes(exchangeAt(path), rules))).path
  expect(pathOf('/users/ann%40mail.example:activate?x=1')).toBe('/users/****:activate?x=1')
  expect(pathOf('/users/ann@mail.example;v=1:activate')).toBe('/users/****;v=1:activate')
  expect(pathOf('/users/ann:activate')).toBe('/users/ann:activate')
})
