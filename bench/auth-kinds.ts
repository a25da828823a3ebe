/**
 * Cost of recognising the authentication of one request with 20 headers, in nanoseconds.
 * Run: node bench/auth-kinds.ts
 */
import type { AuthView } from '../src/inventory/auth-kinds/index.ts'
import { authKindsOf } from '../src/inventory/auth-kinds/index.ts'

/** CPU time of this process, so that other work on the machine weighs less than with a clock. */
function cpuNanoseconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) * 1000
}

const JWT = `eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9.${'c3ViamVjdA'.repeat(40)}.${'c2ln'.repeat(42)}`
const BROWSER = {
  host: 'shop.test',
  'content-length': '51',
  'content-type': 'application/json',
  'sec-ch-ua': '"Chromium";v="110"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"macOS"',
  accept: 'application/json, text/plain, */*',
  'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36',
  origin: 'https://shop.test',
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'cors',
  'sec-fetch-dest': 'empty',
  referer: 'https://shop.test/',
  'accept-encoding': 'gzip, deflate',
  'accept-language': 'en-GB,en;q=0.8',
  'x-request-id': '8b1f6b1e-6f0a-4f57-9a3c-0c1f4a6c2d11',
  'x-forwarded-for': '203.0.113.9',
  connection: 'close',
}

/** Header names arrive as fresh strings, so each view gets copies whose hash is not known yet. */
function views(extra: Readonly<Record<string, string>>): AuthView[] {
  return Array.from({ length: 20_000 }, () => ({
    requestHeaders: JSON.parse(JSON.stringify(Object.entries({ ...BROWSER, ...extra }).flat())) as string[],
    query: { page: '2' },
    requestBody: { email: 'ann@shop.test', password: 'victim123' },
  }))
}

const ROWS: readonly [string, Readonly<Record<string, string>>][] = [
  ['anonymous', {}],
  ['bearer JWT', { authorization: `Bearer ${JWT}` }],
  [
    'cookies',
    { cookie: `language=en; cookieconsent_status=dismiss; continueCode=v7BmaPZbQ7NroLqv; token=${JWT}` },
  ],
]
for (const [label, extra] of ROWS) {
  let best = Number.POSITIVE_INFINITY
  let found = 0
  for (let round = 0; round < 6; round++) {
    const batch = views(extra)
    const start = cpuNanoseconds()
    for (const view of batch) found += authKindsOf(view).length
    best = Math.min(best, (cpuNanoseconds() - start) / batch.length)
  }
  console.log(`${label}: ${best.toFixed(0)} ns per request (${found} kinds)`)
}
