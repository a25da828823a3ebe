/**
 * Judges the selections of every template of a library on made-up samples, as planning a run does: 1,000 endpoints
 * and 150 templates, or whatever gives 150,000 judgements. Prints CPU time.
 *
 *   node bench/rules.ts <folder or Git directory> [branch,branch…]
 */
import type { Exchange } from '../src/http/index.ts'
import { EMPTY_LOOKUPS, evaluate, MessageView, Variables } from '../src/rules/index.ts'
import { parseTemplate, type Template } from '../src/testing/index.ts'
import { readCorpus } from './corpus/read-corpus.ts'

const JUDGEMENTS = 150_000
const TEMPLATES = 150

const [source, branches = 'HEAD'] = process.argv.slice(2)
if (source === undefined) {
  console.error('usage: node bench/rules.ts <folder or Git directory> [branch,branch…]')
  process.exit(2)
}

const loaded = readCorpus(source, branches.split(','))
  .map(({ path, text }) => parseTemplate(text, path).template)
  .filter((template): template is Template => template !== null)
const words = new Map(
  loaded.map((template) => [
    template,
    new Map(template.wordLists.map((list) => [list.name, list.kind === 'words' ? list.words : ['7']])),
  ]),
)
console.log(`${loaded.length} templates`)

measure('selections', loaded)
measure('selections, the first 150 again and again', loaded.slice(0, TEMPLATES))

/** Judges templates in blocks of 150 on endpoint after endpoint. */
function measure(title: string, templates: readonly Template[]): void {
  let held = 0
  let judged = 0
  const start = process.cpuUsage()
  for (let endpoint = 0; judged < JUDGEMENTS; endpoint++) {
    const exchange = sampleOf(endpoint)
    const sample = new MessageView(exchange)
    const key = { collectionId: 1, url: `/api/v1/orders${endpoint}/INTEGER`, method: exchange.request.method }
    const first = (endpoint * TEMPLATES) % templates.length
    for (let i = 0; i < TEMPLATES && judged < JUDGEMENTS; i++) {
      const template = templates[(first + i) % templates.length]!
      const { holds } = evaluate(template.filters, {
        phase: 'filter',
        endpoint: key,
        sample,
        attempt: null,
        variables: new Variables(words.get(template)),
        lookups: EMPTY_LOOKUPS,
      })
      judged++
      if (holds) held++
    }
  }
  const { user, system } = process.cpuUsage(start)
  const ms = (user + system) / 1000
  console.log(
    `${title}: ${judged} judgements, ${held} held, ${Math.round(ms)} ms CPU, ${((1000 * ms) / judged).toFixed(1)} µs each`,
  )
}

/** A sample of about 5 KB, other for every number: JSON both ways, three queries and two headers with credentials. */
function sampleOf(number: number): Exchange {
  const isRead = number % 2 === 0
  const items = Array.from({ length: 30 }, (_, i) => ({
    sku: `S-${number}-${i}`,
    price: i * 3,
    note: 'a customer wrote some words here, and some more',
    owner_id: `u-${number + i}`,
  }))
  const answer = { id: number, user_id: `u-${number}`, email: `a${number}@shop.test`, items, total: 9.5 }
  return {
    request: {
      method: isRead ? 'GET' : 'POST',
      target: `/api/v1/orders${number}/7?user_id=${number}&redirect=%2Fhome&page=1`,
      version: 'HTTP/1.1',
      headers: [
        ...['host', 'shop.test', 'user-agent', 'bench', 'accept', 'application/json'],
        ...['authorization', `Bearer ${number}`, 'cookie', `session=abc${number}; theme=dark`],
        ...['content-type', 'application/json', 'referer', 'https://shop.test/', 'x-request-id', 'r-1'],
      ],
      body: isRead
        ? ''
        : JSON.stringify({ user_id: `u-${number}`, url: 'https://shop.test/a', items: items.slice(0, 3) }),
    },
    response: {
      status: number % 7 === 0 ? 404 : 200,
      reason: '',
      headers: ['content-type', 'application/json', 'server', 'shop', 'cache-control', 'no-store'],
      body: JSON.stringify(answer),
    },
    at: 1_700_000_000,
    clientIp: '203.0.113.5',
    serverIp: '203.0.113.9',
    source: 'HAR',
    direction: 1,
    vxlanId: 0,
  }
}
