import { expect, test } from 'vitest'
import { ObservedPaths } from './observed-paths.ts'

const ORIGIN = 'http://shop.test'

function note(paths: ObservedPaths, path: string, body: string): void {
  paths.note(new URL(path, ORIGIN), body)
}

/** A template filled from what was asked for. */
function filled(paths: ObservedPaths, template: string): string | null {
  return (
    paths
      .resolve(template.split('/').slice(1), { origin: ORIGIN, path: '' }, () => new Set())
      ?.replace(ORIGIN, '') ?? null
  )
}

test('a parameter within a segment keeps what stands around it, once', () => {
  const paths = new ObservedPaths()
  note(paths, '/files', '[{"id":"7.json"}]')
  note(paths, '/pages', '[{"id":7}]')
  note(paths, '/pages/page-7.html/parts', '[]')
  expect(filled(paths, '/files/{}.json')).toBe('/files/7.json')
  expect(filled(paths, '/pages/page-{}.html/parts')).toBe('/pages/page-7.html/parts')
  expect(filled(paths, '/pages/{}-{}')).toBeNull()
})

test('an id that is a step in a path is not a value', () => {
  const paths = new ObservedPaths()
  note(paths, '/users', '[{"id":".."},{"id":"."}]')
  expect(filled(paths, '/users/{}')).toBeNull()
  note(paths, '/teams', '[{"id":".."},{"id":"a/b"}]')
  expect(filled(paths, '/teams/{}')).toBe('/teams/a%2Fb')
})

test('what the crawl made comes before what pages asked for', () => {
  const paths = new ObservedPaths()
  note(paths, '/notes', '[{"id":1,"title":"vigil-k3a9x0z"},{"id":2,"title":"Minutes"}]')
  note(paths, '/notes/2', '{}')
  note(paths, '/notes/2/tags', '[]')
  expect(filled(paths, '/notes/{}')).toBe('/notes/1')
})

test.each([
  ['the largest number', '[{"id":9},{"id":10},{"id":3}]', '10'],
  ['the latest date', '[{"name":"b","createdAt":"2026-02-01"},{"name":"a","createdAt":"2025-02-01"}]', 'b'],
  ['the last of the list without either', '[{"name":"b"},{"name":"a"}]', 'a'],
])('what was made last has %s', (_, list, id) => {
  const paths = new ObservedPaths()
  note(paths, '/notes', list)
  expect(filled(paths, '/notes/{}')).toBe(`/notes/${id}`)
})

test('where an API begins is looked for breadth first', () => {
  const paths = new ObservedPaths()
  for (let at = 0; at < 50; at++) for (const part of ['a', 'b']) note(paths, `/first/${at}/${part}`, '')
  note(paths, '/api/things', '')
  expect(paths.bases.slice(0, 3).map(({ path }) => path)).toEqual(['', '/first', '/api'])
})

test('a name that was cut within a character is a value like others', () => {
  const paths = new ObservedPaths()
  note(paths, '/tags', '[{"name":"cut \\ud83d"}]')
  expect(filled(paths, '/tags/{}')).toBe('/tags/cut%20%EF%BF%BD')
})

test('a host has no values of another', () => {
  const paths = new ObservedPaths()
  note(paths, 'http://other.test/notes', '[{"id":1}]')
  expect(filled(paths, '/notes/{}')).toBeNull()
})

test.each([
  ['path', '/search/flags', '[{"name":"beta"}]'],
  ['property', '/overview', '{"total":1,"flags":[{"name":"beta"}]}'],
])('a list elsewhere has values for a parameter below its name, which is that of its %s', (_, path, body) => {
  const paths = new ObservedPaths()
  note(paths, path, body)
  expect(filled(paths, '/flags/{}/rules')).toBe('/flags/beta/rules')
  expect(filled(paths, '/teams/{}')).toBeNull()
  note(paths, '/flags', '[{"name":"own"}]')
  expect(filled(paths, '/flags/{}/rules')).toBe('/flags/own/rules')
})

test('a filtered list, or a count, takes nothing away of what the list has', () => {
  const paths = new ObservedPaths()
  note(paths, '/roles', '{"data":[{"id":7,"name":"Editor"},{"id":8,"name":"Reader"}]}')
  note(paths, '/roles?aggregate=count', '{"data":[{"count":{"id":2}}]}')
  expect(paths.listedFor(ORIGIN, 'role')).toEqual(['8', '7'])
  note(paths, '/roles?name=Editor', '{"data":[{"id":7,"name":"Editor"}]}')
  expect(paths.listedFor(ORIGIN, 'role')).toEqual(['7', '8'])
  note(paths, '/roles', '{"data":[{"id":7,"name":"Editor"}]}')
  expect(paths.listedFor(ORIGIN, 'role')).toEqual(['7'])
})

test('what an answer to a creation names was made by the crawl, until it is deleted', () => {
  const paths = new ObservedPaths()
  const url = new URL('/notes', ORIGIN)
  note(paths, '/notes', '[{"id":9,"title":"Minutes"}]')
  const { size } = paths
  paths.noteMade(url, '{"data":{"id":4,"title":"Minutes"}}')
  expect(paths.size).toBeGreaterThan(size)
  expect(paths.ownAt(url)).toEqual(['4'])
  expect(filled(paths, '/notes/{}')).toBe('/notes/4')
  expect(paths.listedFor(ORIGIN, 'note_id')).toEqual(['4', '9'])
  // The list of comments was not read.
  paths.noteMade(new URL('/comments', ORIGIN), '{"id":"c1"}')
  expect(paths.listedFor(ORIGIN, 'comment')).toEqual(['c1'])
  paths.noteMade(new URL('/comments', ORIGIN), '{"status":"sent"}')
  paths.noteDeleted(new URL('/notes/4', ORIGIN))
  paths.noteDeleted(new URL('/comments/c1', ORIGIN))
  expect(filled(paths, '/notes/{}')).toBe('/notes/9')
  expect(filled(paths, '/comments/{}')).toBeNull()
})

test('what is made is known by what the entries of its list are known by', () => {
  const paths = new ObservedPaths()
  note(paths, '/flags', '[{"id":1,"name":"beta"}]')
  note(paths, '/flags/beta', '{}')
  paths.noteMade(new URL('/flags', ORIGIN), '{"id":2,"name":"dark"}')
  expect(filled(paths, '/flags/{}')).toBe('/flags/dark')
})

test('what pages have asked for elsewhere comes before what only a list has', () => {
  const paths = new ObservedPaths()
  note(paths, '/collections', '[{"collection":"orders"},{"collection":"system_log"}]')
  note(paths, '/items/orders', '[]')
  expect(filled(paths, '/collections/{}')).toBe('/collections/orders')
  expect(paths.listedFor(ORIGIN, 'collection')).toEqual(['orders', 'system_log'])
})

test('entries that only two properties tell apart are addressed by both', () => {
  const paths = new ObservedPaths()
  note(
    paths,
    '/fields',
    '[{"table":"orders","field":"total"},{"table":"orders","field":"state"},{"table":"log","field":"state"}]',
  )
  note(paths, '/items/orders', '[]')
  expect(filled(paths, '/fields/{}/{}')).toBe('/fields/orders/state')
  expect(filled(paths, '/fields/{}')).toBe('/fields/orders')
})

test('what has the name of the account of the crawl is not made by it for that', () => {
  const paths = new ObservedPaths('ann@vigil.example')
  note(paths, '/notes', '[{"id":1,"author":"Ann@Vigil.example"},{"id":2,"title":"vigil-k3a9x0z"}]')
  expect(paths.ownAt(new URL('/notes', ORIGIN))).toEqual(['2'])
})

test('of what a field may refer to, what pages use comes first', () => {
  const paths = new ObservedPaths()
  note(paths, '/collections', '[{"collection":"orders"},{"collection":"vigil_1"}]')
  note(paths, '/items/orders', '[]')
  expect(paths.listedFor(ORIGIN, 'collection')).toEqual(['orders', 'vigil_1'])
  // What is changed or deleted is still what the crawl made.
  expect(filled(paths, '/collections/{}')).toBe('/collections/vigil_1')
})

test('an entry that was listed with fewer properties is not the example of its list', () => {
  const paths = new ObservedPaths()
  note(paths, '/roles', '[{"id":7,"name":"Editor","ips":null}]')
  note(paths, '/roles?fields=id', '[{"id":7}]')
  expect(paths.newestAt(new URL('/roles', ORIGIN))).toEqual({ id: 7, name: 'Editor', ips: null })
})

test('a list that is deleted from by ids in a body stays known, a record that is deleted does not', () => {
  const paths = new ObservedPaths()
  note(paths, '/files', '[{"id":3},{"id":4}]')
  paths.noteDeleted(new URL('/files', ORIGIN))
  expect(filled(paths, '/files/{}')).toBe('/files/4')
  note(paths, '/files/4', '{"tags":[{"id":5}]}')
  paths.noteDeleted(new URL('/files/4', ORIGIN))
  expect(filled(paths, '/files/{}')).toBe('/files/3')
  expect(paths.hasListAt(new URL('/files/4', ORIGIN))).toBe(false)
})
