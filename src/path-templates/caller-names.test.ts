import { describe, expect, it } from 'vitest'
import { PathTrie } from './path-trie.ts'

/** A request at a path, with what its caller is called. */
function send(trie: PathTrie, path: string, callerNames: readonly string[], at = 1): void {
  const answer = { status: 200, mediaType: 'application/json', keys: ['text'], at }
  trie.observe({ method: 'GET', path, ...answer, callerNames })
}

/** Requests of each person at the path of an area, with what the person is called. */
function sendAs(
  trie: PathTrie,
  people: readonly string[],
  paths: (name: string) => readonly string[],
): PathTrie {
  for (const [at, name] of people.entries()) for (const path of paths(name)) send(trie, path, [name], at)
  trie.evaluate()
  return trie
}

const templateOf = (trie: PathTrie, path: string) => trie.resolve('GET', path)?.template

describe("a path segment that is its caller's own name", () => {
  const profile = (name: string) => ['/login', `/profile/${name}`, `/profile/${name}/posts`]

  it.each([[['olga', 'otto']], [['olga', 'otto', 'anna']], [['olgam3k', 'ottom3k']], [['bob', 'alice']]])(
    'is a value where several callers have theirs: %s',
    (people) => {
      const trie = sendAs(new PathTrie(), people, profile)
      for (const name of people) {
        expect(templateOf(trie, `/profile/${name}`)).toBe('/profile/STRING')
        expect(templateOf(trie, `/profile/${name}/posts`)).toBe('/profile/STRING/posts')
      }
      expect(templateOf(trie, '/login')).toBe('/login')
    },
  )

  it('is a value as first segment', () => {
    const trie = sendAs(new PathTrie(), ['olga', 'otto'], (name) => [
      `/${name}`,
      `/${name}/posts`,
      '/login',
      '/status',
    ])
    expect(['/olga', '/otto/posts', '/login', '/status'].map((path) => templateOf(trie, path))).toEqual([
      '/STRING',
      '/STRING/posts',
      '/login',
      '/status',
    ])
  })

  it('stays a value after a restart and an exchange, in any order of callers', () => {
    const trie = new PathTrie()
    for (const path of ['/profile/olga', '/profile/otto']) send(trie, path, ['root'])
    trie.evaluate()
    expect(templateOf(trie, '/profile/olga')).toBe('/profile/olga')
    send(trie, '/profile/olga', ['olga'])
    send(trie, '/profile/otto', ['otto'])
    expect(trie.hasNews).toBe(true)
    const restored = PathTrie.restore(trie.snapshot())
    const other = sendAs(new PathTrie(), ['olga', 'otto'], () => ['/profile/olga', '/profile/otto'])
    other.absorb(trie.snapshot())
    for (const one of [trie, restored, other]) {
      one.evaluate()
      expect(templateOf(one, '/profile/otto')).toBe('/profile/STRING')
    }
  })

  it('is not a value where only one caller has it, nor where areas are called as their users are', () => {
    const one = sendAs(new PathTrie(), ['olga'], profile)
    expect(templateOf(one, '/profile/olga')).toBe('/profile/olga')
    const people = ['admin', 'manager', 'customer', 'chef', 'editor', 'hr']
    const areas = sendAs(new PathTrie(), people, (name) => [`/home/${name}`, `/${name}/tasks`])
    for (const name of people) {
      expect(templateOf(areas, `/home/${name}`)).toBe(`/home/${name}`)
      expect(templateOf(areas, `/${name}/tasks`)).toBe(`/${name}/tasks`)
    }
  })

  it('is a value for callers with several names, and not where all names are those of one caller', () => {
    const one = new PathTrie()
    for (const name of ['olga', 'olgam3k']) send(one, `/profile/${name}`, ['olga', 'olgam3k'])
    one.evaluate()
    expect(templateOf(one, '/profile/olga')).toBe('/profile/olga')
    for (const names of [
      ['77', 'olga'],
      ['78', 'otto'],
    ])
      send(one, `/profile/${names[1]}`, names)
    const restored = PathTrie.restore(one.snapshot())
    const other = new PathTrie()
    other.absorb(one.snapshot(), true)
    for (const trie of [one, restored, other]) {
      trie.evaluate()
      expect(templateOf(trie, '/profile/otto')).toBe('/profile/STRING')
    }
  })

  it('is found beside a name that is not well-formed text', () => {
    const trie = new PathTrie()
    for (const name of ['olga', 'otto']) send(trie, `/profile/${name}`, [`\ud800${name}`, name])
    trie.evaluate()
    expect(templateOf(trie, '/profile/olga')).toBe('/profile/STRING')
  })

  it.each([
    ['graphiql', '/profile/graphiql'],
    ['xhr', '/profile/xhr'],
    ['anna', '/profile/STRING'],
    ['2026-report-7', '/profile/STRING'],
  ])('says of %s beside it that it is at %s', (word, template) => {
    const trie = sendAs(new PathTrie(), ['olga', 'otto'], (name) => [`/profile/${name}`, `/profile/${word}`])
    expect(templateOf(trie, '/profile/otto')).toBe('/profile/STRING')
    expect(templateOf(trie, `/profile/${word}`)).toBe(template)
  })

  it('leaves names of the interface beside it alone', () => {
    const trie = sendAs(new PathTrie(), ['olga', 'otto'], (name) => [
      `/profile/${name}`,
      '/profile/settings',
      '/profile/search',
      '/profile/avatar',
    ])
    for (const name of ['settings', 'search', 'avatar'])
      expect(templateOf(trie, `/profile/${name}`)).toBe(`/profile/${name}`)
    expect(templateOf(trie, '/profile/otto')).toBe('/profile/STRING')
  })
})
