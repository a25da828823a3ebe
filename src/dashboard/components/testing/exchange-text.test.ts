import { expect, test } from 'vitest'
import { comparableLines, findingAsMarkdown, rawText } from './exchange-text.ts'

const request = {
  line: 'GET /a HTTP/1.1',
  headers: [['Host', 'shop.test']] as [string, string][],
  body: '{"a":1}',
}

test('a request is shown as sent, and laid out for comparison', () => {
  expect(rawText(request)).toBe('GET /a HTTP/1.1\nHost: shop.test\n\n{"a":1}')
  expect(comparableLines(request).slice(0, 3)).toEqual(['GET /a HTTP/1.1', 'host: shop.test', ''])
  expect(comparableLines(request).length).toBeGreaterThan(4)
})

test('Markdown of a finding cannot be left by what the target answered', () => {
  const markdown = findingAsMarkdown({
    title: 'A weakness',
    endpoint: 'GET /a',
    explanation: '',
    curl: 'curl /a',
    exchange: { request, response: { line: 'HTTP/1.1 200', headers: [], body: '```\n# out' }, status: 200 },
    link: 'https://vigil.test/results/1',
  })
  expect(markdown).toContain('````http\nHTTP/1.1 200\n\n```\n# out\n````')
  expect(markdown).toContain('```sh\ncurl /a\n```')
})
