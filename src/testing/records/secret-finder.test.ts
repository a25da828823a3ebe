import { expect, test } from 'vitest'
import { SecretFinder } from './secret-finder.ts'

const mask = (secret: string): string => `[${secret.length}]`

test.each<[string, string[], string, string]>([
  ['each place', ['secret-1', 'secret-22'], 'a secret-22 b secret-1 c secret-1', 'a [9] b [8] c [8]'],
  ['the longest that begins at a place', ['secret', 'secret-one'], 'secret-one secret', '[10] [6]'],
  ['overlapping ones as one', ['abcdef', 'cdefghijkl'], 'x abcdefghijkl y', 'x [10] y'],
  ['neighbours one by one', ['abcdef', 'ghijkl'], 'abcdefghijkl', '[6][6]'],
  ['nothing in a text without them', ['abcdef'], 'abcdeg', 'abcdeg'],
  ['nothing when there are none', [], 'abcdef', 'abcdef'],
])('replaces %s', (_name, secrets, text, expected) => {
  expect(new SecretFinder(secrets).replace(text, mask)).toBe(expected)
})

test('five thousand secrets with one beginning cost about as much as one', () => {
  const secrets = Array.from({ length: 5000 }, (_, i) => `+4915112${String(100_000 + i)}`)
  const text = secrets.join(' ')
  const began = performance.now()
  expect(new SecretFinder(secrets).replace(text, () => '*')).toBe(secrets.map(() => '*').join(' '))
  // 5,000 searches through 75 kB took seconds.
  expect(performance.now() - began).toBeLessThan(1000)
})
