import { deflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readJourney } from './read-journey.ts'

/** A ZIP archive as tools write it: each file deflated, sizes in the directory. */
function zip(files: Readonly<Record<string, string>>): Buffer {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, text] of Object.entries(files)) {
    const packed = deflateRawSync(text)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50)
    local.writeUInt16LE(8, 8)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50)
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(packed.length, 20)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(at, 42)
    directory.push(entry, Buffer.from(name))
    bodies.push(local, Buffer.from(name), packed)
    at += 30 + name.length + packed.length
  }
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...bodies, ...directory, end])
}

const trace = [
  { type: 'before', method: 'goto', params: { url: 'https://app.test/start' } },
  { type: 'frame-snapshot', snapshot: { frameUrl: 'https://app.test/orders/7', isMainFrame: true } },
  { type: 'frame-snapshot', snapshot: { frameUrl: 'https://ads.test/frame', isMainFrame: false } },
]
const network = [
  {
    type: 'resource-snapshot',
    snapshot: {
      request: { method: 'GET', url: 'https://app.test/help' },
      response: { content: { mimeType: 'text/html; charset=utf-8' } },
    },
  },
  {
    type: 'resource-snapshot',
    snapshot: {
      request: { method: 'GET', url: 'https://app.test/api/orders' },
      response: { content: { mimeType: 'application/json' } },
    },
  },
]
const lines = (events: readonly object[]): string => events.map((event) => JSON.stringify(event)).join('\n')

test('a recording of Chrome DevTools gives the pages it went to, by address or by a click', () => {
  const steps = [
    { type: 'setViewport', width: 1, height: 1 },
    {
      type: 'navigate',
      url: 'https://app.test/',
      assertedEvents: [{ type: 'navigation', url: 'https://app.test/' }],
    },
    { type: 'click', assertedEvents: [{ type: 'navigation', url: 'https://app.test/orders/new' }] },
  ]
  expect(readJourney(JSON.stringify({ title: 'Order', steps }))).toEqual({
    format: 'Chrome recording',
    pages: ['https://app.test/', 'https://app.test/orders/new'],
  })
})

test('a HAR file gives its documents and the pages that called, no calls', () => {
  const page = (url: string, mimeType: string, referer = '') => ({
    request: { method: 'GET', url, headers: referer ? [{ name: 'Referer', value: referer }] : [] },
    response: { content: { mimeType } },
  })
  const log = {
    pages: [{ title: 'https://app.test/' }],
    entries: [
      page('https://app.test/settings', 'text/html'),
      page('https://app.test/api/settings', 'application/json', 'https://app.test/settings/mail'),
    ],
  }
  expect(readJourney(JSON.stringify({ log }))).toEqual({
    format: 'HAR',
    pages: ['https://app.test/', 'https://app.test/settings', 'https://app.test/settings/mail'],
  })
})

test.each([
  ['an archive', zip({ 'trace.trace': lines(trace), 'trace.network': lines(network) }).toString('base64')],
  ['text', `${lines(trace)}\n${lines(network)}`],
])('a Playwright trace gives what its main frame showed: %s', (_form, text) => {
  expect(readJourney(text)).toEqual({
    format: 'Playwright trace',
    pages: ['https://app.test/start', 'https://app.test/orders/7', 'https://app.test/help'],
  })
})

test('a Cypress spec, or the report of a run, gives what it visited and where it arrived', () => {
  const spec = `it('orders', () => { cy.visit('/shop'); cy.get('a').click()
    cy.url().should('include', '/cart'); cy.visit({ url: "/account" }) })`
  const pages = ['/shop', '/account', '/cart']
  expect(readJourney(spec)).toEqual({ format: 'Cypress', pages })
  expect(readJourney(JSON.stringify({ results: [{ code: spec }] }))).toEqual({ format: 'Cypress', pages })
})

test.each([
  ['nothing', ''],
  ['another file', '{"openapi":"3.0.0","paths":{}}'],
  [
    'a cut archive',
    zip({ 'trace.trace': lines(trace) })
      .subarray(0, 40)
      .toString('base64'),
  ],
])('%s is not a journey', (_what, text) => {
  expect(readJourney(text)).toBeNull()
})
