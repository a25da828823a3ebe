import { expect, test } from 'vitest'
import { OwnAccount } from '../safety/own-account.ts'
import { ObservedPaths } from './observed-paths.ts'
import { ProbeBodies } from './probe-bodies.ts'

const ORIGIN = 'http://shop.test'
const values: Readonly<Record<string, string>> = { title: 'Minutes', project: 'last' }

function bodies(lists: Readonly<Record<string, string>> = {}): ProbeBodies {
  const paths = new ObservedPaths()
  const account = new OwnAccount('root')
  for (const [path, body] of Object.entries(lists)) {
    paths.note(new URL(path, ORIGIN), body)
    account.note(new URL(path, ORIGIN), body)
  }
  return new ProbeBodies({ paths, account, valueOf: (name) => values[name] ?? null })
}

function request(method: string, path: string, bodyKeys: readonly string[] | null = null) {
  return { method, url: ORIGIN + path, bodyKeys }
}

test('a field that is called like a list gets the id of an entry, what the crawl made first', () => {
  const made = bodies({
    '/api/projects':
      '{"results":[{"id":3,"name":"Books"},{"id":4,"name":"vigil-a1b2c3d"},{"id":5,"name":"Shop"}]}',
    '/api/categories': '[{"id":9}]',
  })
  const keys = ['project', 'projectId', 'category_id', 'title', 'note', 'id']
  expect(made.first(request('POST', '/api/tasks', keys))).toEqual({
    project: '4',
    projectId: '4',
    category_id: '9',
    title: 'Minutes',
    note: 'vigil',
    id: 'vigil',
  })
})

test('the account of the crawl is in no body', () => {
  const made = bodies({ '/users': '[{"id":1,"username":"root"},{"id":2,"username":"ann"}]' })
  expect(made.first(request('POST', '/teams', ['user_id']))).toEqual({ user_id: '2' })
  const alone = bodies({ '/users': '[{"id":1,"username":"root"}]' })
  expect(alone.first(request('POST', '/teams', ['user_id']))).toEqual({ user_id: 'vigil' })
})

test('what is replaced stays as it is', () => {
  const record = '{"data":{"id":3,"title":"Books","tags":["a"]}}'
  expect(bodies().first(request('PUT', '/notes/3'), record)).toEqual({ id: 3, title: 'Books', tags: ['a'] })
  const named = bodies().first(request('PUT', '/notes/3', ['title', 'note']), '{"title":null,"tags":["a"]}')
  expect(named).toEqual({ title: null })
  // None of what the script names is there.
  expect(bodies().first(request('PUT', '/notes/3', ['note']), record)).toEqual({
    id: 3,
    title: 'Books',
    tags: ['a'],
  })
  expect(bodies().first(request('PATCH', '/notes/3', ['note']), record)).toEqual({})
  expect(bodies().first(request('PUT', '/notes', ['title']), '[]')).toEqual({ title: 'Minutes' })
})

test('what was not read whole is not replaced', () => {
  for (const keys of [null, ['title']])
    expect(bodies().first(request('PUT', '/notes/3', keys), '{"id":3,"title":"Boo')).toBeUndefined()
})

test('where one list took a list, others get one at once', () => {
  const made = bodies({ '/notes': '[{"id":4,"title":"vigil-a1b2c3d"}]', '/shops': '[{"id":3}]' })
  expect(made.first(request('DELETE', '/notes', ['data']))).toEqual([4])
  expect(made.first(request('PATCH', '/shops'))).toEqual({})
  made.noteAccepted(request('PATCH', '/notes'), [])
  made.noteAccepted(request('DELETE', '/notes'), [4])
  expect(made.first(request('PATCH', '/shops'))).toEqual([])
  expect(made.first(request('DELETE', '/shops'))).toEqual([])
  expect(made.first(request('DELETE', '/shops/3'))).toBeNull()
  expect(made.first(request('PATCH', '/shops/3'))).toEqual({})
})

test('what is deleted by a list is what the crawl made there, and nothing where it made none', () => {
  const made = bodies({
    '/notes': '[{"id":3,"title":"Books"},{"id":4,"title":"vigil-a1b2c3d"}]',
    '/shops': '[{"id":3,"title":"Books"}]',
  })
  const answer = '{"errors":[{"message":"Payload in body is required"}]}'
  expect(made.first(request('DELETE', '/notes'))).toBeNull()
  expect(made.next(request('DELETE', '/notes'), null, answer)).toEqual([4])
  expect(made.next(request('DELETE', '/shops'), null, answer)).toEqual([])
  expect(made.next(request('DELETE', '/shops'), [], '{"query":["This field is required."]}')).toBeNull()
})

test('another entry of a list is like the newest one, with another name', () => {
  const made = bodies({
    '/api/rules': '[{"id":1,"name":"Core","note":null,"ips":null,"isOn":true,"order":3,"kind":"allow"}]',
  })
  const first = made.first(request('POST', '/api/rules', ['name', 'ips', 'isOn', 'order', 'kind', 'title']))
  expect(first).toEqual({
    name: expect.stringMatching(/^vigil_\w+$/),
    ips: null,
    isOn: true,
    order: 3,
    kind: 'allow',
    title: 'Minutes',
  })
  // What an answer asks for is taken from there as well.
  const next = made.next(request('POST', '/api/rules'), {}, '{"message":"\\"kind\\" is required"}')
  expect(next).toEqual({ kind: 'allow' })
})

test('the name of another entry is new also where the list is known by something else', () => {
  const made = bodies({ '/tables': '[{"table":"orders","rows":3}]' })
  expect(made.first(request('POST', '/tables', ['table', 'rows']))).toEqual({
    table: expect.stringMatching(/^vigil_\w+$/),
    rows: 3,
  })
})

test('another entry does not name the account of the crawl', () => {
  const made = bodies({
    '/users': '[{"id":"root-account-0001","username":"root"}]',
    '/notes': '[{"id":1,"user_id":"root-account-0001","text":"a"}]',
  })
  const body = made.first(request('POST', '/notes', ['user_id', 'text']))
  expect(body).toEqual({ user_id: expect.not.stringContaining('root-account'), text: 'a' })
})

test('another entry does not name the account of the crawl by a number, or in what it holds', () => {
  const made = bodies({
    '/users': '[{"id":7,"username":"root"},{"id":8,"username":"ann"}]',
    '/notes': '[{"id":1,"user_id":7,"order":7,"owner":{"id":7},"members":[7],"tags":[],"text":"a"}]',
  })
  const keys = ['user_id', 'order', 'owner', 'members', 'tags', 'text']
  expect(made.first(request('POST', '/notes', keys))).toEqual({
    user_id: 8,
    order: 7,
    owner: 'vigil',
    members: 'vigil',
    tags: [],
    text: 'a',
  })
})
