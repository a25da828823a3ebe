import { dataType } from '../data-type.ts'

export default dataType({
  name: 'URL',
  summary: 'An absolute URL with an authority (http, https, ws, wss, ftp).',
  category: 'CONTENT',
  severity: 'LOW',
  sensitiveIn: 'NEVER',
  evidence: 'PROOF',
  mayMatch: {
    length: [10, 4096],
    starts: ['http://', 'https://', 'ws://', 'wss://', 'ftp://', 'HTTP://', 'HTTPS://'],
  },
  verify: (value) => (/\s/.test(value) || !URL.canParse(value) ? 0 : 95),
  cases: [
    { value: 'https://shop.test/a?b=1', key: 'link', expect: true, because: 'https with path and query' },
    { value: 'wss://live.shop.test', key: 'socket', expect: true, because: 'WebSocket' },
    { value: 'shop.test/a', key: 'link', expect: false, because: 'no scheme' },
    { value: 'https:// is a scheme', key: 'text', expect: false, because: 'a sentence' },
  ],
})
