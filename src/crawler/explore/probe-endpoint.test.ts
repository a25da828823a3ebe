import { expect, test, vi } from 'vitest'
import type { CapturedExchange } from '../browser/capture.ts'
import { LOGIN_CAUSE } from '../browser/crawl-guard.ts'
import type { DriverPage } from '../browser/driver.ts'
import { TargetPace } from '../browser/target-pace.ts'
import { CrawlScope } from '../scope/crawl-scope.ts'
import { actionCause, elementOf } from './action-cause.ts'
import { CatchAll } from './catch-all.ts'
import type { CrawlContext } from './crawl-context.ts'
import type { CrawlPorts } from './crawl-ports.ts'
import { type Candidate, Harvest, type ProbePayload } from './harvest.ts'
import { Knowledge } from './knowledge.ts'
import { outsideCandidate } from './known-places.ts'
import type { LearnedFact } from './learned.ts'
import { requestKind } from './locations.ts'
import { MemoryFrontier } from './memory-frontier.ts'
import { mergeFact, type WhatIsKnown } from './merge-facts.ts'
import { Prober } from './probe-endpoint.ts'
import { SharedMemory } from './shared-memory.ts'

const start = 'http://shop.test/'
const guess: Candidate = {
  url: `${start}error/error.name`,
  origin: 'script',
  use: 'endpoint',
  sourceUrl: `${start}app.js`,
  sourceXpath: '',
  text: '',
}

/** Probes that go by what is known and need nothing else of a crawl. */
function proberWith(knowledge: Knowledge, mode: 'safe' | 'full'): Prober {
  const context = {
    harvest: { noteAnswered() {} },
    knowledge,
    options: { mode, start },
    counts: { probes: 0 },
    ports: {},
  }
  return new Prober(context as unknown as CrawlContext, new CatchAll())
}

async function found(answers: Readonly<Record<string, number>>): Promise<string[]> {
  const scope = CrawlScope.read({ start, outscope: [], templates: [] })
  if (typeof scope === 'string') throw new Error(scope)
  const urls: string[] = []
  const frontier = new MemoryFrontier()
  const sink = { url: ({ url }: { url: string }) => void urls.push(url), exchange() {}, edge() {}, log() {} }
  const harvest = new Harvest(scope, { sink, frontier } as unknown as CrawlPorts, false)
  await harvest.take([
    guess,
    { ...guess, url: `${start}rest/orders` },
    { ...guess, url: `${start}linked`, origin: 'a href', use: 'file' },
    outsideCandidate(`${start}swagger.json`, 'openapi', 'endpoint'),
  ])
  // Another reading of the script names it once more.
  await harvest.take([guess])
  const context = {
    harvest,
    knowledge: new Knowledge(scope),
    options: { mode: 'safe', start },
    counts: { probes: 0 },
    ports: {},
  }
  const prober = new Prober(context as unknown as CrawlContext, new CatchAll())
  const page = {
    url: start,
    cause: null,
    evaluate: async (text: string) => {
      const asked = Object.entries(answers).find(([path]) => text.includes(`"${start}${path}"`))
      return { status: asked?.[1] ?? 404, isHtml: false, text: '' }
    },
  }
  for (let item = await frontier.take('probe'); item !== null; item = await frontier.take('probe'))
    await prober.probe(page as unknown as DriverPage, JSON.parse(item.payload) as ProbePayload)
  return urls
}

test('a guess of a script is a found URL only once a probe of it was answered', async () => {
  expect(await found({ 'rest/orders': 200 })).toEqual([`${start}linked`, `${start}rest/orders`])
  expect(await found({ 'rest/orders': 401, 'error/error.name': 404 })).toEqual([
    `${start}linked`,
    `${start}rest/orders`,
  ])
})

test('places where many applications describe themselves are found URLs only once they answer', async () => {
  expect(await found({ 'swagger.json': 404 })).toEqual([`${start}linked`])
  expect(await found({ 'swagger.json': 200 })).toEqual([`${start}linked`, `${start}swagger.json`])
})

test('a request tells the element whose click made it, also one with an icon only', () => {
  const xpath = '/html/body/#shadow/button[2]'
  const cause = actionCause('click', { xpath, name: 'Place order', id: 'b' })
  expect(elementOf(cause)).toEqual({ sourceXpath: xpath, text: 'Place order' })
  expect(elementOf(actionCause('click', { xpath, name: '', id: 'refresh' }))).toEqual({
    sourceXpath: xpath,
    text: 'refresh',
  })
  const drawn = { xpath, name: 'picture wjjlfjt' }
  expect(elementOf(actionCause('click', { ...drawn, id: 'refresh' })).text).toBe('refresh')
  expect(elementOf(actionCause('click', { ...drawn, id: '' })).text).toBe('icon')
  for (const cause of [null, 'probe', 'load', 'return'])
    expect(elementOf(cause)).toEqual({ sourceXpath: '', text: '' })
})

test('guesses come after what is likely, and after what has the path of an API', async () => {
  const scope = CrawlScope.read({ start, outscope: [], templates: [] }) as CrawlScope
  const frontier = new MemoryFrontier()
  const sink = { url() {}, exchange() {}, edge() {}, log() {} }
  const harvest = new Harvest(scope, { sink, frontier } as unknown as CrawlPorts, false)
  await harvest.take([
    { ...guess, url: `${start}body/name` },
    { ...guess, url: `${start}api/admin/flags/all` },
    { ...guess, url: `${start}flags/beta/log/all`, isLikely: true },
    { ...guess, url: `${start}flags/beta/rules/all`, isKnown: true },
  ])
  const taken: string[] = []
  for (let item = await frontier.take('probe'); item !== null; item = await frontier.take('probe'))
    taken.push((JSON.parse(item.payload) as ProbePayload).url.slice(start.length))
  expect(taken).toEqual(['flags/beta/rules/all', 'flags/beta/log/all', 'api/admin/flags/all', 'body/name'])
})

test('an endpoint that waits as a guess comes before other guesses when its parameters are known', async () => {
  const scope = CrawlScope.read({ start, outscope: [], templates: [] }) as CrawlScope
  const frontier = new MemoryFrontier()
  const sink = { url() {}, exchange() {}, edge() {}, log() {} }
  const harvest = new Harvest(scope, { sink, frontier } as unknown as CrawlPorts, false)
  await harvest.take(['a/b', 'random/text'].map((path) => ({ ...guess, url: start + path })))
  await harvest.take([{ ...guess, url: `${start}random/text`, isKnown: true }])
  const knowledge = new Knowledge(scope)
  const options = { mode: 'safe', start }
  const context = { harvest, knowledge, options, counts: { probes: 0 }, ports: {} }
  const prober = new Prober(context as unknown as CrawlContext, new CatchAll())
  const sent: string[] = []
  const evaluate = async (text: string) => {
    sent.push(/fetch\("http:\/\/shop\.test\/([^"]*)"/.exec(text)?.[1] ?? '')
    return { status: 404, isHtml: false, text: '' }
  }
  const page = { url: start, cause: null, evaluate } as unknown as DriverPage
  for (let item = await frontier.take('probe'); item !== null; item = await frontier.take('probe'))
    await prober.probe(page, JSON.parse(item.payload) as ProbePayload)
  expect(sent).toEqual(['random/text', 'a/b'])
})

test('what would take the account of the crawl away is not asked for by what scripts name', async () => {
  const scope = CrawlScope.read({ start, outscope: [], templates: [] }) as CrawlScope
  const asked = async (isSignedIn: boolean): Promise<string[]> => {
    const frontier = new MemoryFrontier()
    const sink = { url() {}, exchange() {}, edge() {}, log() {} }
    const ports = { sink, frontier } as unknown as CrawlPorts
    const harvest = new Harvest(scope, ports, true, () => {}, isSignedIn)
    const calls = [
      'PUT api/user/change-password',
      'DELETE api/me',
      'PATCH api/users/me',
      'POST api/users/me',
      'POST api/account',
      'POST api/users/7/password',
      'POST api/validate-password',
    ]
    for (const call of calls) {
      const [method = '', path = ''] = call.split(' ')
      await harvest.take([{ ...guess, method, url: start + path }])
    }
    await harvest.releaseWrites()
    const taken: string[] = []
    for (let item = await frontier.take('probe'); item !== null; item = await frontier.take('probe'))
      taken.push(item.key.split(start)[1] ?? '')
    return taken.sort()
  }
  expect(await asked(true)).toEqual(['api/account', 'api/users/7/password', 'api/validate-password'])
  expect(await asked(false)).toHaveLength(7)
})

test('what pages have read is sent back where it is replaced, or named fields of it are', async () => {
  const scope = CrawlScope.read({ start, outscope: [], templates: [] }) as CrawlScope
  const knowledge = new Knowledge(scope)
  knowledge.noteKind(requestKind('GET', new URL(`${start}notes/3`)), 'page')
  const prober = proberWith(knowledge, 'full')
  const sent: string[] = []
  const page = {
    url: start,
    cause: null,
    evaluate: async (text: string) => {
      const [, path = '', method = ''] =
        /fetch\("http:\/\/shop\.test\/([^"]*)".*?"method":"(\w+)"/.exec(text) ?? []
      sent.push(`${method} ${path}${text.includes('Minutes') ? ' as it was' : ''}`)
      return { status: 200, isHtml: false, text: method === 'GET' ? '{"id":3,"title":"Minutes"}' : '' }
    },
  }
  for (const [method, path, bodyKeys] of [
    ['PUT', 'notes/3', null],
    ['PUT', 'shops/3', null],
    ['PATCH', 'tags/4', null],
    ['PATCH', 'notes/3', ['title']],
  ] as const)
    await prober.probe(page as unknown as DriverPage, { url: start + path, method, bodyKeys })
  expect(sent).toEqual([
    'GET notes/3',
    'PUT notes/3 as it was',
    'PUT shops/3',
    'PATCH tags/4',
    'GET notes/3',
    'PATCH notes/3 as it was',
  ])
})

test('nothing is replaced by made-up values where the record cannot be read, or more is asked for', async () => {
  const scope = CrawlScope.read({ start, outscope: [], templates: [] }) as CrawlScope
  const sentAfter = async (read: { status: number; text: string }): Promise<string[]> => {
    const knowledge = new Knowledge(scope)
    knowledge.noteKind(requestKind('GET', new URL(`${start}notes/3`)), 'page')
    const sent: string[] = []
    const page = {
      ...{ url: start, cause: null },
      evaluate: async (text: string) => {
        const method = /"method":"(\w+)"/.exec(text)?.[1] ?? ''
        sent.push(method)
        const refusal = { status: 400, isHtml: false, text: '{"owner":["This field is required."]}' }
        return method === 'GET' ? { ...read, isHtml: false } : refusal
      },
    }
    const prober = proberWith(knowledge, 'full')
    const payload: ProbePayload = { url: `${start}notes/3`, method: 'PUT', bodyKeys: ['title'] }
    await prober.probe(page as unknown as DriverPage, payload)
    return sent
  }
  expect(await sentAfter({ status: 503, text: '' })).toEqual(['GET'])
  expect(await sentAfter({ status: 200, text: '{"title":"Minutes","owner":"ann"}' })).toEqual(['GET', 'PUT'])
})

test('nothing is written about the account of the crawl, in the path or in the body', async () => {
  const scope = CrawlScope.read({ start, outscope: [], templates: [] }) as CrawlScope
  const knowledge = new Knowledge(scope, () => {}, 'root')
  const body = '[{"id":1,"username":"root","shopId":1}]'
  const exchange = {
    request: { method: 'GET', headers: [] },
    response: { status: 200, headers: [], body },
  }
  const listed = {
    url: `${start}users`,
    outcome: 'answered',
    cause: '',
    kind: 'Fetch',
    pageId: 'p',
    exchange,
  }
  knowledge.note(listed as unknown as CapturedExchange)
  const harvest = { leftOut: { note() {} }, noteAnswered() {} }
  const context = { harvest, knowledge, options: { mode: 'full', start }, counts: { probes: 0 }, ports: {} }
  const prober = new Prober(context as unknown as CrawlContext, new CatchAll())
  const sent: string[] = []
  const page = {
    url: start,
    cause: null,
    evaluate: async (text: string) => {
      sent.push(
        /fetch\("http:\/\/shop\.test\/([^"]*)".*?"body":"(.*?\})"/.exec(text)?.slice(1).join(' ') ?? text,
      )
      return { status: 200, isHtml: false, text: '' }
    },
  }
  const bodyKeys = ['id', 'shopId']
  for (const path of ['users/1', 'users/2', 'users/block', 'shops'])
    await prober.probe(page as unknown as DriverPage, { url: start + path, method: 'PUT', bodyKeys })
  expect(sent.map((each) => each.replaceAll('\\"', ''))).toEqual([
    'users/2 {id:0,shopId:0}',
    'users/block {id:0,shopId:0}',
    'shops {id:1,shopId:1}',
  ])
})

test('an endpoint whose guessed id was refused is asked for again with a known one, until it is answered', async () => {
  const scope = CrawlScope.read({ start, outscope: [], templates: [] }) as CrawlScope
  const knowledge = new Knowledge(scope)
  const prober = proberWith(knowledge, 'safe')
  const sent: string[] = []
  const page = {
    url: start,
    cause: null,
    evaluate: async (text: string) => {
      const path = /fetch\("http:\/\/shop\.test\/([^"]*)"/.exec(text)?.[1] ?? ''
      sent.push(path)
      return { status: path.endsWith('/1') ? 403 : 200, isHtml: false, text: '' }
    },
  }
  for (const path of ['roles/1', 'roles/22', 'roles/23'])
    await prober.probe(page as unknown as DriverPage, { url: start + path, method: 'GET', bodyKeys: null })
  expect(sent).toEqual(['roles/1', 'roles/22'])
})

test('what an answer to the creation of a probe names was made by the crawl', () => {
  const scope = CrawlScope.read({ start, outscope: [], templates: [] }) as CrawlScope
  const knowledge = new Knowledge(scope, () => {}, 'root')
  const note = (method: string, path: string, body: string, cause: string): void => {
    const exchange = { request: { method, headers: [] }, response: { status: 200, headers: [], body } }
    const captured = { url: start + path, outcome: 'answered', cause, kind: 'Fetch', pageId: 'p', exchange }
    knowledge.note(captured as unknown as CapturedExchange)
  }
  note('POST', 'notes', '{"data":{"id":4}}', 'probe')
  note('POST', 'tags', '{"data":{"id":5}}', 'click')
  expect(knowledge.paths.ownAt(new URL(`${start}notes`))).toEqual(['4'])
  expect(knowledge.paths.ownAt(new URL(`${start}tags`))).toEqual(['5'])
  // Neither what a login makes, nor what was there, nor the account of the crawl.
  note('POST', 'sessions', '{"id":6}', LOGIN_CAUSE)
  note('GET', 'labels', '[{"id":7,"name":"a"}]', 'load')
  note('POST', 'labels', '{"id":7,"name":"a"}', 'click')
  note('GET', 'users', '[{"id":8,"name":"ann"}]', 'load')
  note('GET', 'team', '{"leader":{"id":9,"username":"root"}}', 'load')
  note('POST', 'users', '{"id":9}', 'click')
  for (const path of ['sessions', 'labels', 'users'])
    expect([path, ...knowledge.paths.ownAt(new URL(start + path))]).toEqual([path])
  note('DELETE', 'notes/4', '', 'probe')
  expect(knowledge.paths.ownAt(new URL(`${start}notes`))).toEqual([])
})

test('a change that is not answered is sent once more, after others, and nothing is made twice', async () => {
  const scope = CrawlScope.read({ start, outscope: [], templates: [] }) as CrawlScope
  const frontier = new MemoryFrontier()
  const options = { mode: 'full', start }
  const context = {
    harvest: { noteAnswered() {} },
    knowledge: new Knowledge(scope),
    ports: { frontier },
    options,
    counts: { probes: 0 },
  }
  const prober = new Prober(context as unknown as CrawlContext, new CatchAll())
  const sent: string[] = []
  const evaluate = async (text: string) => {
    sent.push(/fetch\("http:\/\/shop\.test\/([^"]*)"/.exec(text)?.[1] ?? '')
    return { status: 0, isHtml: false, text: '' }
  }
  const page = { url: start, cause: null, evaluate } as unknown as DriverPage
  for (const [method, path] of [
    ['GET', 'tags'],
    ['PATCH', 'notes/3'],
    // It may have made something.
    ['POST', 'notes'],
  ] as const)
    await prober.probe(page, { url: start + path, method, bodyKeys: null })
  for (let item = await frontier.take('probe'); item !== null; item = await frontier.take('probe'))
    await prober.probe(page, JSON.parse(item.payload) as ProbePayload)
  expect(sent).toEqual(['tags', 'notes/3', 'notes', 'notes/3'])
})

test('what could not be sent, or was without the session, is sent when its work comes again', async () => {
  const scope = CrawlScope.read({ start, outscope: [], templates: [] }) as CrawlScope
  const context = {
    harvest: { noteAnswered() {} },
    knowledge: new Knowledge(scope),
    ports: {},
    options: { mode: 'safe', start },
    counts: { probes: 0 },
  }
  const prober = new Prober(context as unknown as CrawlContext, new CatchAll())
  let sent = 0
  const page = {
    url: 'about:blank',
    cause: null,
    async goto() {
      throw new Error('the browser is gone')
    },
    evaluate: async () => ({ status: ++sent > 0 ? 401 : 0, isHtml: false, text: '' }),
  }
  const probe = (isAgain = false): Promise<boolean> =>
    prober.probe(
      page as unknown as DriverPage,
      { url: `${start}notes`, method: 'GET', bodyKeys: null },
      isAgain,
    )
  await expect(probe()).rejects.toThrow('gone')
  page.url = start
  await probe()
  expect(sent).toBe(1)
  await probe()
  expect(sent).toBe(1)
  await probe(true)
  expect(sent).toBe(2)
})

test('a body that was refused is not sent twice', async () => {
  const scope = CrawlScope.read({ start, outscope: [], templates: [] }) as CrawlScope
  const context = {
    harvest: { noteAnswered() {} },
    knowledge: new Knowledge(scope),
    ports: {},
    options: { mode: 'full', start },
    counts: { probes: 0 },
  }
  const prober = new Prober(context as unknown as CrawlContext, new CatchAll())
  let sent = 0
  const answers = ['`tag` is required', '`tag` is not allowed']
  const evaluate = async () => {
    const text = JSON.stringify({ message: answers[++sent % 2] })
    return { status: 400, isHtml: false, text }
  }
  const page = { url: start, cause: null, evaluate } as unknown as DriverPage
  await prober.probe(page, { url: `${start}notes`, method: 'POST', bodyKeys: ['tag'] })
  expect(sent).toBe(2)
})

/** What a probe of `/notes` is answered at a pace, its answer waited for as long as a page does; -1 where it is not sent. */
async function statusAt(pace: TargetPace, seconds: number, stop = new AbortController().signal) {
  const scope = CrawlScope.read({ start, outscope: [], templates: [] }) as CrawlScope
  const context = {
    harvest: { noteAnswered() {} },
    knowledge: new Knowledge(scope),
    ports: { waitMs: ({ host, pathname }: URL) => pace.waitMs(host, pathname), stop },
    options: { mode: 'safe', start },
    counts: { probes: 0 },
    budget: { left: 600 },
    // The calls that are left are asked for after the crawl is said to be ending.
    isEnding: () => true,
    noteWait() {},
  }
  let status = -1
  const evaluate = async () => {
    const given = new AbortController()
    setTimeout(() => given.abort(), 4_000)
    status = await pace.pass('shop.test', given.signal, '/notes').then(
      () => 200,
      () => 0,
    )
    return { status, isHtml: false, text: '' }
  }
  const page = { url: start, cause: null, evaluate } as unknown as DriverPage
  const prober = new Prober(context as unknown as CrawlContext, new CatchAll())
  const probing = prober.probe(page, { url: `${start}notes`, method: 'GET', bodyKeys: null })
  await vi.advanceTimersByTimeAsync(seconds * 1_000)
  await probing
  return status
}

test('nothing is sent while the application asks for a pause, also where nothing else waits', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  try {
    const ofPath = new TargetPace(0)
    ofPath.heard('shop.test', 429, '30', '/notes')
    expect(await statusAt(ofPath, 31)).toBe(200)
    const ofHost = new TargetPace(0)
    ofHost.heard('shop.test', 503, '30')
    expect(await statusAt(ofHost, 31)).toBe(200)
    const slow = new TargetPace(6)
    await slow.pass('shop.test', new AbortController().signal)
    expect(await statusAt(slow, 15)).toBe(200)
    const stopped = new TargetPace(0)
    stopped.heard('shop.test', 503, '30')
    expect(await statusAt(stopped, 1, AbortSignal.abort())).toBe(-1)
  } finally {
    vi.useRealTimers()
  }
})

test('that a guessed id was refused stays known when the process hears of it again', async () => {
  const scope = CrawlScope.read({ start, outscope: [], templates: [] }) as CrawlScope
  const saved = new Map<string, LearnedFact>()
  const port = {
    async exchange(_: number, news: readonly LearnedFact[]) {
      for (const fact of news) saved.set(fact.key, fact)
      return { revision: 1, facts: [...saved.values()] }
    },
  }
  const join = (): readonly [Knowledge, SharedMemory] => {
    const shared = new SharedMemory(port, (fact) => mergeFact(fact, { knowledge } as unknown as WhatIsKnown))
    const knowledge: Knowledge = new Knowledge(scope, shared.learn)
    return [knowledge, shared]
  }
  const [own, ownMemory] = join()
  const [other, otherMemory] = join()
  const hear = async (): Promise<void> => {
    for (const memory of [ownMemory, otherMemory, ownMemory]) await memory.exchange()
  }
  const kind = requestKind('GET', new URL(`${start}roles/1`))
  expect(own.noteProbed(kind, true)).toBe(true)
  await hear()
  expect([own, other].map((each) => each.isOpen(kind))).toEqual([true, true])
  expect(other.hasKind(kind)).toBe(true)
  own.noteProbed(kind)
  await hear()
  expect([own, other].map((each) => each.isOpen(kind))).toEqual([false, false])
})
