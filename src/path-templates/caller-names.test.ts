import { describe, expect, it } from 'vitest'
import { PathTrie } from './path-trie.ts'

/** Requests of each person at the path of an area, with what the person is called. */
function sendAs(
  trie: PathTrie,
  people: readonly string[],
  paths: (name: string) => readonly string[],
): PathTrie {
  for (const [at, name] of people.entries())
    for (const path of paths(name))
      trie.observe({
        method: 'GET',
        path,
        status: 200,
        mediaType: 'application/json',
        keys: ['text'],
        at,
        callerNames: [name],
      })
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
    const observe = (path: string, callerNames: readonly string[]) =>
      trie.observe({ method: 'GET', path, status: 200, mediaType: '', keys: [], at: 1, callerNames })
    for (const path of ['/profile/olga', '/profile/otto']) observe(path, ['root'])
    trie.evaluate()
    expect(templateOf(trie, '/profile/olga')).toBe('/profile/olga')
    observe('/profile/olga', ['olga'])
    observe('/profile/otto', ['otto'])
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
