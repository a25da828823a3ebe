import { expect, test } from 'vitest'
import { DEFAULT_RULES } from '../../../data-types/index.ts'
import { maskUrl, maskUrlsIn } from './mask-types.ts'

test.each([
  ['/items?q=kettle&page=2', '/items?q=kettle&page=2'],
  ['/pay?card=4111111111111111', '/pay?card=****'],
  ['/users/ann.lee%40shop.example/orders', '/users/****/orders'],
  [
    '/a?access_token=opaque-1&apiKey=k-33aa55&next_page_token=abc123456',
    '/a?access_token=****&apiKey=****&next_page_token=abc123456',
  ],
  ['/a?token=string&state=abcdef123', '/a?token=string&state=abcdef123'],
  ['https://bob:pw-1234@h.test:8080/x', 'https://bob:****@h.test:8080/x'],
  ['https://10.1.2.3/cards/4111111111111111', 'https://10.1.2.3/cards/****'],
  ['https://h.test/#/reset?token=abc123def', 'https://h.test/#/reset?token=****'],
  ['https://h.test/cb#access_token=abc123def&expires=1', 'https://h.test/cb#access_token=****&expires=1'],
  ['/a?q=%27%20OR%201=1--', '/a?q=%27%20OR%201=1--'],
  ['/cards/****?x=****', '/cards/****?x=****'],
])('%s is shown as %s', (url, shown) => {
  expect(maskUrl(url, DEFAULT_RULES)).toBe(shown)
})

test('every address in a text is masked', () => {
  const text = 'GET /pay?card=4111111111111111 led to "https://h.test/a?sid=abc123def"'
  expect(maskUrlsIn(text, DEFAULT_RULES)).toBe('GET /pay?card=**** led to "https://h.test/a?sid=****"')
})
