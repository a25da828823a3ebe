import { expect, test } from 'vitest'
import type { CapturedExchange } from '../browser/capture.ts'
import { OwnAccount } from '../safety/own-account.ts'
import { CrawlScope } from '../scope/crawl-scope.ts'
import type { CrawlPorts } from './crawl-ports.ts'
import { Harvest } from './harvest.ts'
import { Knowledge } from './knowledge.ts'
import { NamedCalls } from './named-calls.ts'
import { ObservedPaths } from './observed-paths.ts'

const PAGE = 'http://shop.test/app/'
const SCOPE = CrawlScope.read({ start: PAGE, outscope: [], templates: [] }) as CrawlScope

function calls(...lines: readonly string[]): NamedCalls {
  const named = new NamedCalls()
  for (const line of lines) {
    const [method = '', url = ''] = line.split(' ')
    named.add({ method, url, bodyKeys: null, isCall: true }, PAGE, `${PAGE}app.js`)
  }
  return named
}

function note(paths: ObservedPaths, path: string, body: string): void {
  paths.note(new URL(path, PAGE), body)
}

function traffic(paths = new ObservedPaths(), account = new OwnAccount('anonymous')) {
  return { paths, account, valueOf: () => null }
}

function asked(named: NamedCalls, paths: ObservedPaths, step: number): string[] {
  return named
    .release({ ...traffic(paths), valueOf: (name) => (name === 'project' ? 'p 1' : null) }, step, true)
    .map(({ method, url }) => `${method} ${url.replace('http://shop.test', '')}`)
}

test('a call gets its parameters from what pages asked for, and from the lists that came back', () => {
  const paths = new ObservedPaths()
  note(paths, '/api/flags', '{"data":{"flags":[{"name":"first","id":"x"},{"name":"second","id":"y"}]}}')
  note(paths, '/api/flags/first', '{}')
  note(paths, '/api/flags/archive', '[]')
  note(paths, '/api/flags/first/rules', '[{"id":7},{"id":8}]')
  const named = calls(
    'PATCH /api/flags/{}',
    'DELETE /api/flags/{}/rules/{}',
    'POST /api/flags/archive',
    'GET api/flags/{}/events',
    'PUT /api/teams/{}',
  )
  // What reads comes first.
  expect(asked(named, paths, 1)).toEqual(['GET /api/flags/first/events'])
  expect(asked(named, paths, 2)).toEqual(['PATCH /api/flags/first', 'POST /api/flags/archive'])
  // What destroys, and what nobody knows, comes last.
  expect(asked(named, paths, 3)).toEqual(['DELETE /api/flags/first/rules/8', 'PUT /api/teams/1'])
  expect(asked(named, paths, 3)).toEqual([])
})

test('a name that another call has in the place of a parameter is not a value of it', () => {
  const paths = new ObservedPaths()
  note(paths, '/users/me', '{"id":4}')
  note(paths, '/users/ann', '{"id":3}')
  expect(asked(calls('GET /users/me', 'DELETE /users/{}'), paths, 3)).toEqual([
    'GET /users/me',
    'DELETE /users/ann',
  ])
})

test('what the crawl made is written before what was there', () => {
  const paths = new ObservedPaths()
  note(paths, '/notes', '[{"id":1,"title":"vigil-k3a9x0z"},{"id":2,"title":"Minutes"}]')
  expect(asked(calls('PUT /notes/{}'), paths, 2)).toEqual(['PUT /notes/1'])
})

test('calls of a client with a base address get the one below which others were asked for', () => {
  const paths = new ObservedPaths()
  note(paths, '/v1/projects', '[{"id":5}]')
  note(paths, '/v1/projects/5/tags', '[]')
  note(paths, '/health', '{}')
  const named = calls('GET /projects', 'GET /projects/{}/tags', 'POST /projects/{}/members', 'POST /teams')
  expect(asked(named, paths, 2)).toEqual([
    'GET /v1/projects',
    'GET /v1/projects/5/tags',
    'POST /v1/projects/5/members',
    'POST /teams',
    'POST /v1/teams',
  ])
})

test('a call of which nothing was asked for anywhere is sent as it is written, and below the base of others', () => {
  const paths = new ObservedPaths()
  note(paths, '/v1/projects', '[{"id":5}]')
  expect(asked(calls('GET /projects', 'POST /api/teams'), paths, 2)).toEqual([
    'GET /v1/projects',
    'POST /api/teams',
    'POST /v1/api/teams',
  ])
})

test('hosts have their own paths, and a call without one belongs to the host that was asked for it', () => {
  const paths = new ObservedPaths()
  note(paths, '/pages', '[]')
  note(paths, 'http://api.test/v1/projects', '[{"id":5}]')
  note(paths, 'http://api.test/v1/projects/5', '{}')
  const named = calls(
    'PUT /projects/{}',
    'DELETE http://shop.test/projects/{}',
    'GET http://api.test/v1/projects/{}',
  )
  expect(asked(named, paths, 2)).toEqual([
    'PUT http://api.test/v1/projects/5',
    'GET http://api.test/v1/projects/5',
  ])
  expect(asked(named, paths, 3)).toEqual(['DELETE /projects/1'])
})

test('a call keeps its query, with values that are known and without parameters that are not', () => {
  const named = calls('GET /search?type=flag&project={}&cursor={}', 'DELETE /flags?{}', 'GET /search')
  expect(asked(named, new ObservedPaths(), 3)).toEqual([
    'GET /search?type=flag&project=p%201',
    'DELETE /flags',
    'GET /search',
  ])
})

test('a path that a script only speaks of is asked for where its first part is known below an API', () => {
  const paths = new ObservedPaths()
  note(paths, '/api/projects', '[{"id":5}]')
  note(paths, '/api/projects/5', '{}')
  const named = calls('POST /projects')
  for (const url of ['/projects/:pk/storages', '/welcome/:step'])
    named.add({ method: 'GET', url, bodyKeys: null, isCall: false }, PAGE, `${PAGE}app.js`)
  expect(asked(named, paths, 3)).toEqual(['POST /api/projects', 'GET /api/projects/5/storages'])
})

test('what begins with a parameter belongs below something else', () => {
  expect(asked(calls('POST /{}/clone'), new ObservedPaths(), 3)).toEqual([])
})

test('what a step queued is taken before other work, as often as there is something of it', async () => {
  const named = calls('GET /notes/list', 'GET /notes/{}', 'GET /teams/{}')
  const knowledge = new Knowledge(SCOPE)
  note(knowledge.paths, '/notes', '[{"id":1}]')
  const taken: string[] = []
  const harvest = {
    take: async (found: readonly { url: string }[]) => {
      taken.push(...found.map(({ url }) => url))
      return found.length
    },
  }
  const crawl = { harvest, knowledge, options: { mode: 'safe' } } as unknown as Parameters<
    NamedCalls['ask']
  >[0]
  await named.ask(crawl, 0.3)
  expect(named.before(['load', 'explore', 'probe'], 0)).toEqual(['load', 'explore', 'probe'])
  await named.ask(crawl, 0.5)
  expect(taken).toEqual(['http://shop.test/notes/list', 'http://shop.test/notes/1'])
  expect(named.before(['load', 'explore', 'probe'], 0.4)[0]).toBe('load')
  const firsts = [1, 2, 3].map(() => named.before(['load', 'explore', 'probe'], 0.1)[0])
  expect(firsts).toEqual(['probe', 'probe', 'load'])
  expect(await named.askNext(crawl)).toBe(1)
  expect(await named.askNext(crawl)).toBe(0)
})

test('nothing is read at the path of an operation that writes, unless anything may be changed', () => {
  const links = ['/api/flags/{}/archive', '/api/flags/{}/promotion', '/api/flags/{}/events']
  const release = (mayChange: boolean): string[] => {
    const paths = new ObservedPaths()
    note(paths, '/api/flags', '[{"name":"beta"}]')
    const named = calls('POST /api/flags/{}/promotion')
    for (const url of links) named.add({ method: 'GET', url, bodyKeys: null, isCall: false }, PAGE, PAGE)
    return named
      .release(traffic(paths), 1, mayChange)
      .map(({ url }) => url.replace('http://shop.test/api/flags/', ''))
  }
  expect(release(false)).toEqual(['beta/events'])
  expect(release(true).sort()).toEqual(['beta/archive', 'beta/events', 'beta/promotion'])
})

test('what is found after its step began is asked for at once', async () => {
  const named = calls('GET /notes/list')
  const taken: string[] = []
  const harvest = {
    take: async (found: readonly { url: string }[]) => taken.push(...found.map(({ url }) => url)),
  }
  const crawl = { harvest, knowledge: new Knowledge(SCOPE), options: { mode: 'safe' } }
  const asking = crawl as unknown as Parameters<NamedCalls['ask']>[0]
  await named.ask(asking, 0.9)
  named.add({ method: 'GET', url: '/notes/late', bodyKeys: null, isCall: true }, PAGE, PAGE)
  await named.ask(asking, 0.9)
  expect(taken.map((url) => url.split('/').at(-1))).toEqual(['list', 'late'])
})

test('a call takes the room of a path that a text only speaks of', () => {
  const named = calls()
  for (let at = 0; at < 3_001; at++)
    named.add({ method: 'GET', url: `/speaks/of/${at}`, bodyKeys: null, isCall: false }, PAGE, PAGE)
  named.add({ method: 'GET', url: '/sent', bodyKeys: null, isCall: true }, PAGE, PAGE)
  expect(asked(named, new ObservedPaths(), 1)).toEqual(['GET /sent'])
})

test('what a step has asked for tells values for others of it', async () => {
  const named = calls('GET /notes', 'GET /notes/{}/tags')
  const taken: string[] = []
  const harvest = {
    take: async (found: readonly { url: string }[]) => {
      taken.push(...found.map(({ url }) => url))
      return found.length
    },
  }
  const knowledge = new Knowledge(SCOPE)
  const crawl = { harvest, knowledge, options: { mode: 'safe' } } as unknown as Parameters<
    NamedCalls['ask']
  >[0]
  await named.ask(crawl, 0.5)
  expect(taken).toEqual(['http://shop.test/notes'])
  note(knowledge.paths, '/notes', '[{"id":7}]')
  await named.ask(crawl, 0.5)
  expect(taken).toHaveLength(1)
  named.before(['probe'], 0)
  await named.ask(crawl, 0.5)
  expect(taken.slice(1)).toEqual(['http://shop.test/notes/7/tags'])
})

test('an entry may be known by what it is called', () => {
  const paths = new ObservedPaths()
  note(paths, '/collections', '[{"collection":"books","meta":null}]')
  expect(asked(calls('PATCH /collections/{}'), paths, 2)).toEqual(['PATCH /collections/books'])
})

test('what nothing names is asked for before other work as well', async () => {
  const named = calls('DELETE /notes')
  const knowledge = new Knowledge(SCOPE)
  note(knowledge.paths, '/notes', '[{"id":1}]')
  const harvest = {
    take: async (found: readonly unknown[]) => found.length,
    releaseWrites: async () => 0,
  }
  const crawl = { harvest, knowledge, options: { mode: 'full' } }
  await named.ask(crawl as unknown as Parameters<NamedCalls['ask']>[0], 0.9)
  const firsts = [1, 2, 3].map(() => named.before(['load', 'probe'], 0)[0])
  expect(firsts).toEqual(['probe', 'probe', 'load'])
})

test('what writes is not about the account of the crawl, nor about its role', () => {
  const paths = new ObservedPaths()
  const account = new OwnAccount('root@shop.test')
  const users =
    '[{"id":1,"email":"Root@shop.test","role":{"id":1,"name":"admin"}},{"id":2,"email":"ann@shop.test"}]'
  note(paths, '/users', users)
  account.note(new URL('/users', PAGE), users)
  note(paths, '/roles', '[{"id":2},{"id":1}]')
  note(paths, '/users/1', '{}')
  note(paths, '/roles/1', '{}')
  note(paths, '/shops', '[{"id":1}]')
  const named = calls(
    'GET /users/{}',
    'PATCH /users/{}',
    'DELETE /users/{}',
    'PUT /roles/{}',
    'PUT /shops/{}',
  )
  const urls = named.release(traffic(paths, account), 3, true).map(({ method, url }) => [method, url])
  expect(urls).toEqual(
    [
      ['GET', '/users/1'],
      ['PATCH', '/users/2'],
      ['DELETE', '/users/2'],
      ['PUT', '/roles/2'],
      ['PUT', '/shops/1'],
    ].map(([method, path]) => [method, `http://shop.test${path}`]),
  )
})

test('beside what scripts write to, another entry is made, and what the crawl made is changed and deleted', () => {
  const paths = new ObservedPaths()
  note(paths, '/api/roles', '[{"id":1,"name":"Editor"},{"id":2,"name":"vigil-k3a9x0z"}]')
  note(paths, '/api/teams', '[{"id":1,"name":"Sales"}]')
  note(paths, '/api/items/notes', '[{"id":1,"title":"Minutes"},{"id":4,"title":"vigil-k3a9x0z"}]')
  note(paths, '/api/logs', '[{"id":1}]')
  const named = calls(
    'DELETE /api/roles',
    'PATCH /api/teams/{}',
    'PATCH /api/items/{}',
    'GET /api/logs',
    'POST /api/login',
  )
  const released = (step: number): string[] =>
    named.releaseBeside({ paths }, step).map(({ method, url }) => `${method} ${new URL(url).pathname}`)
  expect(released(2)).toEqual([
    'POST /api/roles',
    'GET /api/roles/2',
    'PATCH /api/roles/2',
    'POST /api/teams',
    'POST /api/items/notes',
    'GET /api/items/notes/4',
    'PATCH /api/items/notes/4',
  ])
  paths.noteMade(new URL('http://shop.test/api/teams'), '{"id":5}')
  expect(released(2)).toEqual(['GET /api/teams/5', 'PATCH /api/teams/5'])
  expect(released(3)).toEqual(['DELETE /api/roles/2', 'DELETE /api/teams/5', 'DELETE /api/items/notes/4'])
  expect(released(3)).toEqual([])
})

test('what a script sends comes before what it only speaks of', () => {
  const paths = new ObservedPaths()
  note(paths, '/api/flags', '[{"id":5}]')
  const named = calls('GET /api/flags/{}/events')
  named.add({ method: 'GET', url: '/api/flags/:id/page', bodyKeys: null, isCall: false }, PAGE, PAGE)
  note(paths, '/api/flags/5', '{}')
  const known = named.release(traffic(paths), 1, true).map(({ isKnown }) => isKnown)
  expect(known).toEqual([true, false])
})

test('a crawl that ends before a step names what would have been written, in its own hosts', () => {
  const harvest = new Harvest(SCOPE, { session: null } as CrawlPorts, false)
  const named = calls('DELETE /flags/{}', 'PUT http://elsewhere.test/flags', 'GET /flags/{}')
  harvest.noteNamed(named.releaseAll(traffic()))
  expect([...harvest.leftOut.named]).toEqual(['DELETE shop.test/flags/{int}'])
})

test('lists that the crawl asked for itself have values too, documents do not', () => {
  const knowledge = new Knowledge(SCOPE)
  const answer = (path: string, body: string): void => {
    const exchange = { request: { method: 'GET', headers: [] }, response: { status: 200, headers: [], body } }
    const captured = {
      url: `http://shop.test${path}`,
      outcome: 'answered',
      cause: 'probe',
      kind: 'Fetch',
      exchange,
    }
    knowledge.note(captured as unknown as CapturedExchange)
  }
  answer('/flags', '[{"id":3}]')
  answer('/teams/4', '<!doctype html>')
  expect(asked(calls('GET /flags/{}', 'GET /teams/{}'), knowledge.paths, 2)).toEqual(['GET /flags/3'])
})
