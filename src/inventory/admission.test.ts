import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { DataSource, Exchange } from '../http/index.ts'
import type { AdmissionContext } from './admission.ts'
import { admit } from './admission.ts'
import { isStaticResource, pathOfTarget } from './static-resource.ts'

interface Seen {
  readonly method?: string
  readonly target?: string
  readonly status?: number
  readonly type?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly source?: DataSource
}

function exchange({
  method = 'GET',
  target = '/',
  status = 200,
  type = '',
  body = '',
  headers = {},
  source = 'HAR',
}: Seen): Exchange {
  return {
    request: { method, target, version: 'HTTP/1.1', headers: Object.entries(headers).flat(), body: '' },
    response: { status, reason: '', headers: type === '' ? [] : ['Content-Type', type], body },
    at: 0,
    clientIp: '',
    serverIp: '',
    source,
    direction: 1,
    vxlanId: 0,
  }
}

function ruleOf(seen: Seen, context: AdmissionContext = {}): string {
  const admission = admit(exchange(seen), context)
  return admission.admitted ? 'admitted' : admission.rule
}

const NAVIGATION = { 'sec-fetch-dest': 'document', accept: 'text/html,application/xhtml+xml' }

const CASES: readonly (readonly [because: string, seen: Seen, rule: string])[] = [
  ['a JSON answer', { target: '/rest/basket/6', type: 'application/json; charset=utf-8' }, 'admitted'],
  ['an answer that was not modified', { target: '/api/Quantitys/', status: 304 }, 'admitted'],
  ['a refusal', { target: '/api/users', status: 401, type: 'application/json' }, 'admitted'],
  ['too many requests', { target: '/api/users', status: 429 }, 'admitted'],
  ['a server error', { target: '/api/users', status: 500, type: 'text/html' }, 'admitted'],
  [
    'a redirect with its courtesy text',
    { target: '/redirect?to=https://a.test', status: 302, type: 'text/html', headers: NAVIGATION },
    'admitted',
  ],
  [
    'Socket.IO polling',
    { target: '/socket.io/?EIO=4&transport=polling', type: 'text/plain; charset=UTF-8' },
    'admitted',
  ],
  [
    'a POST answered with HTML',
    { method: 'POST', target: '/socket.io/?EIO=4', type: 'text/html' },
    'admitted',
  ],
  ['a WebSocket', { target: '/socket.io/', status: 101 }, 'admitted'],
  ['a file ending with a JSON answer', { target: '/users.json', type: 'application/json' }, 'admitted'],
  ['a script ending with a JSON answer', { target: '/v1/render.js', type: 'application/json' }, 'admitted'],
  ['a picture without ending', { target: '/users/5/avatar', type: 'image/png' }, 'admitted'],
  ['an empty answer', { method: 'DELETE', target: '/api/users/5', status: 204 }, 'admitted'],
  ['an answer without media type', { target: '/api/users/5' }, 'admitted'],
  [
    'JSONP',
    { target: '/feed?callback=cb', type: 'application/javascript', headers: { 'sec-fetch-dest': 'script' } },
    'admitted',
  ],
  ['a documented request without answer', { target: '/v1/x', status: 0, source: 'OPEN_API' }, 'admitted'],
  ['the start page', { target: '/', type: 'text/html; charset=UTF-8', headers: NAVIGATION }, 'html-page'],
  ['a page that was not modified', { target: '/', status: 304, headers: NAVIGATION }, 'html-page'],
  ['a page without media type', { target: '/about', body: '<!doctype html><p>' }, 'html-page'],
  [
    'an error page that a browser opened',
    { target: '/x', status: 403, type: 'text/html', headers: NAVIGATION },
    'html-page',
  ],
  ['a script', { target: '/main.js', type: 'application/javascript' }, 'static'],
  ['a script with an origin', { target: 'https://a.test/main.js?v=3', type: 'text/javascript' }, 'static'],
  [
    'a script that was not modified',
    { target: '/main.js', status: 304, headers: { accept: '*/*' } },
    'static',
  ],
  ['a style sheet without ending', { target: '/theme', type: 'text/css' }, 'static'],
  ['a picture', { target: '/a/logo.PNG', type: 'image/png' }, 'static'],
  ['a font as bytes', { target: '/f/a.woff2', type: 'application/octet-stream' }, 'static'],
  ['the icon of a site', { target: '/favicon.ico', type: 'text/html' }, 'static'],
  ['a preflight', { method: 'OPTIONS', target: '/api/users', status: 204 }, 'preflight'],
  ['a blocked request', { target: '/api/users', status: 0 }, 'no-answer'],
  ['an interim answer', { target: '/api/users', status: 103 }, 'interim'],
  ['a scanner', { target: '/wp-admin.php', status: 404, type: 'text/html' }, 'probe'],
  ['a method that is not allowed', { method: 'TRACE', target: '/api/users', status: 405 }, 'probe'],
  ['our own test', { target: '/api/users', headers: { 'X-Vigil-Test': '1' } }, 'own-traffic'],
]

describe('admission', () => {
  for (const [because, seen, rule] of CASES) {
    it(`${rule === 'admitted' ? 'admits' : `refuses by ${rule}:`} ${because}`, () =>
      expect(ruleOf(seen)).toBe(rule))
  }

  it('keeps what happens at known endpoints', () => {
    const context = { isKnownPath: true }
    expect(ruleOf({ target: '/api/users/9', status: 404 }, context)).toBe('admitted')
    expect(ruleOf({ target: '/api/report.js', type: 'text/javascript' }, context)).toBe('admitted')
    expect(ruleOf({ target: '/api/form', type: 'text/html' }, context)).toBe('admitted')
  })
})

describe('isStaticResource', () => {
  it('needs GET or HEAD', () => {
    expect(isStaticResource(exchange({ method: 'POST', target: '/a.js', type: 'text/javascript' }))).toBe(
      false,
    )
  })
})

describe('pathOfTarget', () => {
  it('leaves out origin, query, fragment and matrix parameters', () => {
    expect(pathOfTarget('https://a.test/b/c.js;v=1?x=/d.css#e')).toBe('/b/c.js')
    expect(pathOfTarget('https://a.test')).toBe('/')
    expect(pathOfTarget('/b?next=https://a.test/x')).toBe('/b')
  })
})

const RECORDING = join(import.meta.dirname, '../../test/fixtures/juiceshop.har')

interface HarHeader {
  readonly name: string
  readonly value: string
}
interface HarEntry {
  readonly request: { readonly method: string; readonly url: string; readonly headers: readonly HarHeader[] }
  readonly response: {
    readonly status: number
    readonly headers: readonly HarHeader[]
    readonly content: { readonly text?: string }
  }
}

describe('a recording of a web shop', () => {
  it('keeps every exchange but the start page', () => {
    const har = JSON.parse(readFileSync(RECORDING, 'utf8')) as { log: { entries: HarEntry[] } }
    const refused = har.log.entries.flatMap((entry, index) => {
      const { request, response } = entry
      const admission = admit({
        ...exchange({ method: request.method, target: request.url, status: response.status }),
        request: {
          method: request.method,
          target: request.url,
          version: '',
          body: '',
          headers: flat(request.headers),
        },
        response: {
          status: response.status,
          reason: '',
          headers: flat(response.headers),
          body: response.content.text ?? '',
        },
      })
      return admission.admitted ? [] : [{ index, path: pathOfTarget(request.url), rule: admission.rule }]
    })
    expect(refused).toEqual([{ index: 0, path: '/', rule: 'html-page' }])
  })
})

function flat(headers: readonly HarHeader[]): string[] {
  return headers.flatMap(({ name, value }) => [name, value])
}
