import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { readCurl } from './curl-read.ts'
import { writeCurl } from './curl-write.ts'
import type { RequestMessage } from './exchange.ts'
import { headerValue } from './exchange.ts'
import { quoteShellWord } from './shell-words.ts'

function one(text: string): RequestMessage {
  const entries = [...readCurl(text)]
  const [entry] = entries
  if (entries.length !== 1 || entry === undefined) throw new Error(`${entries.length} entries`)
  if (entry.problem !== undefined) throw new Error(entry.problem)
  return entry.requests[0]!
}

test('reads what browsers copy', () => {
  const request = one(`curl 'https://shop.test/v1/cart?x=1' \\
  -X 'PATCH' \\
  -H 'accept: application/json' \\
  -H 'content-type: application/json' \\
  -b 'sid=abc; theme=dark' \\
  --data-raw $'{"note":"it\\'s \\u00e9 \\xc3\\xa9\\n"}' \\
  --compressed`)
  expect(request).toMatchObject({
    method: 'PATCH',
    target: 'https://shop.test/v1/cart?x=1',
    version: 'HTTP/1.1',
  })
  expect(request.body).toBe('{"note":"it\'s é é\n"}')
  expect(headerValue(request.headers, 'cookie')).toBe('sid=abc; theme=dark')
  expect(headerValue(request.headers, 'host')).toBe('shop.test')
})

test('follows both kinds of quotes and line continuations with CRLF', () => {
  const request = one('curl -H "X-A: say \\"hi\\" \\$5" \\\r\n -d \'a\'"b"c https://h/\r\n')
  expect(headerValue(request.headers, 'x-a')).toBe('say "hi" $5')
  expect(request).toMatchObject({ method: 'POST', body: 'abc' })
})

test('joins data options and knows their default type', () => {
  const request = one("curl https://h/f -d a=1 --data-urlencode 'q=x y&z' --data-binary b=2")
  expect(request.body).toBe('a=1&q=x+y%26z&b=2')
  expect(headerValue(request.headers, 'content-type')).toBe('application/x-www-form-urlencoded')
  expect(one('curl https://h/ -d x -H "Content-Type:"').headers).toEqual(['Host', 'h'])
})

test('reads json, form, credentials, cookies, agent, referer, get and head', () => {
  const json = one(`curl --json '{"a":1}' https://h/`)
  expect(headerValue(json.headers, 'content-type')).toBe('application/json')
  const form = one("curl -F name=Ann -F 'photo=@me.png;type=image/png' https://h/")
  expect(form.method).toBe('POST')
  expect(form.body).toContain('name="photo"; filename="me.png"\r\nContent-Type: image/png')
  const basic = one('curl -sSu ann:s3cret -A agent/1 -e https://r/ https://h/')
  expect(headerValue(basic.headers, 'authorization')).toBe(`Basic ${btoa('ann:s3cret')}`)
  expect(headerValue(basic.headers, 'user-agent')).toBe('agent/1')
  expect(headerValue(basic.headers, 'referer')).toBe('https://r/')
  expect(one('curl -G -d a=1 -d b=2 https://h/s?c=3').target).toBe('https://h/s?c=3&a=1&b=2')
  expect(one('curl -I https://h/').method).toBe('HEAD')
  expect(one('curl -XDELETE --url https://h/1').method).toBe('DELETE')
  const inUrl = one('curl https://ann:p%40ss@h/a')
  expect(inUrl.target).toBe('https://h/a')
  expect(headerValue(inUrl.headers, 'authorization')).toBe(`Basic ${btoa('ann:p@ss')}`)
  expect(one('curl h.test').target).toBe('http://h.test/')
})

test('skips values of options that change nothing sent', () => {
  const request = one(
    'curl -s -o out.json --max-time 5 -w "%{http_code}" -x http://p:1 -k -L https://h/a 2>/dev/null',
  )
  expect(request).toMatchObject({ method: 'GET', target: 'https://h/a' })
})

test('reads commands after others or within them', () => {
  const text = `cd api && curl https://h/1
TOKEN=$(curl -s https://h/2 | jq -r .token)
for i in 1 2; do curl -X POST "https://h/3"; done
echo x; sudo /usr/bin/curl 'https://h/4'
if true; then A=b curl --json '{"a":1}' https://h/5 || exit 1; fi
X=\`curl https://h/6\`
We use this; curl is a tool (curl for short), and curly too.`
  const targets = [...readCurl(text)].flatMap((entry) => entry.requests.map((r) => `${r.method} ${r.target}`))
  expect(targets).toEqual([
    'GET https://h/1',
    'GET https://h/2',
    'POST https://h/3',
    'GET https://h/4',
    'POST https://h/5',
    'GET https://h/6',
  ])
})

test.each([
  ['T=$(curl https://h/1)', ['https://h/1']],
  ['T="$(curl -s "https://h/1" | jq -r ".t")"; curl https://h/2', ['https://h/1', 'https://h/2']],
  ['T="$(curl -s https://h/1)"\ncurl https://h/2 -H "a: b"', ['https://h/1', 'https://h/2']],
  ['(curl https://h/1) && curl https://h/2', ['https://h/1', 'https://h/2']],
  ['A=`curl https://h/1`; B=`curl https://h/2`', ['https://h/1', 'https://h/2']],
  ['command -v curl >/dev/null && curl https://h/1', ['https://h/1']],
  ['RUN apk add curl && curl -fsSL https://h/1 -o x', ['https://h/1']],
  ['curl https://h/Orders(1)', ['https://h/Orders(1)']],
  ['we use curl curl https://h/1', []],
])('reads what is a command of %s', (text, targets) => {
  const entries = [...readCurl(text)]
  expect(entries.flatMap(({ requests }) => requests.map(({ target }) => target))).toEqual(targets)
  expect(entries.map(({ problem }) => problem)).toEqual(targets.map(() => undefined))
})

test('reads several commands of one text, with prose, pipes and comments between', () => {
  const text = `# Orders, don't run
$ curl https://h/1 | jq '.id'
It's plain text.
A=b curl https://h/2 && curl https://h/3; echo done
curl https://h/4 https://h/5 --next -X PUT https://h/6`
  const targets = [...readCurl(text)].flatMap((entry) => entry.requests.map((r) => `${r.method} ${r.target}`))
  expect(targets).toEqual([
    'GET https://h/1',
    'GET https://h/2',
    'GET https://h/3',
    'GET https://h/4',
    'GET https://h/5',
    'PUT https://h/6',
  ])
})

test('tells what it did not follow instead of guessing', () => {
  const [entry] = [...readCurl('curl -d @body.json -H "Authorization: Bearer $TOKEN" https://h/')]
  expect(entry?.notes).toEqual(['a shell variable is kept as text', 'a body from a file is left empty'])
})

test.each([
  ["curl 'https://h/", 'a quote is never closed'],
  ['curl -s', 'it names no URL'],
  ['curl ftp://h/a', 'it calls ftp, not http or https'],
  ['curl file:///etc/passwd', 'it calls file, not http or https'],
  ['curl https://h/ -H', '-H wants a value'],
  ['curl -X "G E T" https://h/', 'its method is not an HTTP method'],
  ['curl ^"https://h/^" ^', 'Windows quoting with ^; copy the bash form'],
])('gives a reason for %s', (text, problem) => {
  expect([...readCurl(text)][0]?.problem).toBe(problem)
})

test('a command for another shell costs the commands above it nothing', () => {
  const entries = [
    ...readCurl('curl https://h/1\ncurl ^"https://h/2^" ^\n  -H ^"accept: text/plain^"\ncurl https://h/3\n'),
  ]
  expect(entries.map((entry) => entry.requests[0]?.target ?? entry.problem)).toEqual([
    'https://h/1',
    'Windows quoting with ^; copy the bash form',
    'https://h/3',
  ])
})

test('continues after a command with an open quote', () => {
  const entries = [...readCurl("curl 'https://h/1\ncurl https://h/2\n")]
  expect(entries.map((entry) => entry.requests[0]?.target)).toEqual([undefined, 'https://h/2'])
})

test('quotes words so that a real shell gives them back', () => {
  const words = [
    'plain',
    '',
    "it's",
    '$HOME `id` "q" \\ !x',
    'a\nb',
    '*?[x]{a,b} ~ #c',
    'é😀',
    '-n',
    '&;|<>()',
  ]
  const script = `for w in ${words.map(quoteShellWord).join(' ')}; do printf '%s\\0' "$w"; done`
  const got = execFileSync('sh', ['-c', script]).toString('utf8').split('\0').slice(0, -1)
  expect(got).toEqual(words)
})

test('writes a command that reads back as the same request', () => {
  const request: RequestMessage = {
    method: 'PUT',
    target: "https://h/a?q='x'&r=$(id)",
    version: 'HTTP/1.1',
    headers: ['Host', 'h', 'X-Quote', "it's", 'X-Empty', '', 'Content-Type', 'text/plain'],
    body: "line 1\nit's `id` $HOME",
  }
  expect(one(writeCurl(request))).toEqual(request)
  const get = { ...request, method: 'GET', target: 'https://h/b', headers: ['Host', 'h'], body: '' }
  expect(writeCurl(get)).toBe('curl https://h/b')
  expect(writeCurl({ ...get, method: 'HEAD' })).toBe('curl https://h/b \\\n  --head')
})

test('writes a binary body as base64 and drops names that curl would read as files', () => {
  const request = { method: 'POST', target: '/u', version: '', headers: ['host', 'h', '@etc', 'x'], body: '/9j/AA==', bodyIsBase64: true } // biome-ignore format: one line reads better
  const text = writeCurl(request)
  expect(text).toContain('printf %s /9j/AA== | base64 -d | curl https://h/u')
  expect(text).not.toContain('@etc')
})
