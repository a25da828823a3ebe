import { describe, expect, it, test } from 'vitest'
import { analyseScript } from './analyse-script.ts'
import { readOpenApi, readRobots, readSitemap } from './known-files.ts'
import { scanCss } from './scan-css.ts'
import { scanHeaders } from './scan-headers.ts'
import { scanHtml } from './scan-html.ts'
import { scanScript } from './scan-script.ts'

describe('scripts', () => {
  it('gives methods and paths of calls, with constants, templates and class fields folded', () => {
    const found = analyseScript(`
      const base = '/api/v1';
      class Users { host = this.server + '/rest/user'; constructor(http){ this.http = http }
        whoAmI() { return this.http.get(this.host + '/whoami') }
        save(u) { return this.http.put(\`\${this.host}/\${u.id}\`, u) } }
      fetch(base + '/orders', { method: 'POST', body: JSON.stringify({ item: 1, amount: 2 }) });
      const x = new XMLHttpRequest(); x.open('DELETE', '/api/items/' + id);
      $.ajax({ url: '/legacy/list', type: 'GET' });
      new EventSource('/events/stream');
    `)
    const calls = found.endpoints.map((endpoint) => `${endpoint.method} ${endpoint.url}`)
    expect(calls).toEqual(
      expect.arrayContaining([
        'GET /rest/user/whoami',
        'PUT /rest/user/{}',
        'POST /api/v1/orders',
        'DELETE /api/items/{}',
        'GET /legacy/list',
        'GET /events/stream',
      ]),
    )
    const order = found.endpoints.find((endpoint) => endpoint.url === '/api/v1/orders')
    expect(order?.bodyKeys).toEqual(['item', 'amount'])
  })

  it('gives methods that minifiers write as template literals', () => {
    const found = analyseScript(
      'fetch(`/api/orders`,{method:`POST`,body:JSON.stringify({item:1})});fetch(`/api/orders/${id}`,{method:`DELETE`})',
    )
    expect(found.endpoints.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /api/orders',
      'DELETE /api/orders/{}',
    ])
  })

  it('tells fields of one name in several classes apart', () => {
    const found = analyseScript(`
      class A { host = this.server + '/api/cards'; list() { return this.http.get(this.host) } }
      class B { host = this.server + '/api/addresses'; one(id) { return this.http.delete(\`\${this.host}/\${id}\`) } }
      class C { constructor(h) { this.host = '/rest/chat' } send(m) { return this.http.post(this.host, { messages: m }) } }
    `)
    const calls = found.endpoints.filter((endpoint) => endpoint.isCall)
    expect(calls.map((endpoint) => `${endpoint.method} ${endpoint.url}`)).toEqual([
      'GET /api/cards',
      'DELETE /api/addresses/{}',
      'POST /rest/chat',
    ])
  })

  it('gives the routes of router tables and the chunks of lazy ones', () => {
    const found = analyseScript(`
      const routes = [{ path: 'administration', component: A }, { path: 'order/:id', loadChildren: () => import('./chunk-order.js') },
        { path: '/wallet', element: W }, { path: 'tmp/file', name: 'not a route' }];
    `)
    expect(found.routes).toEqual(['administration', 'order/:id', '/wallet'])
    expect(found.scripts).toContain('./chunk-order.js')
  })

  it('gives nested routes whole', () => {
    const found = analyseScript(`const routes = [{ path: 'account', component: A, children: [
      { path: '', component: H }, { path: 'password', component: P, children: [{ path: 'done', component: D }] },
    ] }]`)
    expect(found.routes).toEqual(
      expect.arrayContaining(['account', 'account/password', 'account/password/done']),
    )
    expect(found.routes).not.toContain('password')
    expect(found.routes).not.toContain('done')
  })

  it('leaves alone what only looks like a path', () => {
    const found = analyseScript(
      `const a = '/'; const b = 'text/html'; const c = '1/2'; const d = '/^x$/'; const e = '</div>'`,
    )
    expect(found.links).toEqual([])
    expect(found.endpoints).toEqual([])
  })

  it('falls back to patterns for what cannot be parsed', () => {
    const found = analyseScript(
      `this is not { a script "/api/hidden/things" \n // http://shop.test/in/comment.html`,
    )
    expect(found.links).toContain('/api/hidden/things')
    expect(found.links).toContain('http://shop.test/in/comment.html')
  })

  it('is quick on text made to be slow', () => {
    const started = performance.now()
    scanScript(`"${'/a'.repeat(500_000)}`)
    scanScript('path:'.repeat(200_000))
    scanHtml('<!--'.repeat(100_000))
    scanHtml('<'.repeat(200_000))
    expect(performance.now() - started).toBeLessThan(2500)
  })
})

test('a path that begins with a parameter is one below another, and cannot be asked for', () => {
  const found = scanScript(
    `const paths = ['/{id}/members', '/:realm/users', '/users/{id}', '/api/:id/members']`,
  )
  expect(found.links).toEqual(['/users/{id}', '/api/:id/members'])
})

describe('documents', () => {
  it('shows what a rendered page does not', () => {
    const found =
      scanHtml(`<!DOCTYPE html SYSTEM "/dtd/page.dtd"><body><!-- <a href="/old/page">x</a> see /secret/area.html -->
      <noscript><a href="/plain">p</a></noscript><p>Go to /docs/manual.html now</p><script>fetch('/api/inline')</script></body>`)
    expect(found.links).toEqual(
      expect.arrayContaining([
        '/dtd/page.dtd',
        '/old/page',
        '/secret/area.html',
        '/plain',
        '/docs/manual.html',
      ]),
    )
    expect(found.endpoints.map((endpoint) => endpoint.url)).toContain('/api/inline')
  })

  it('reads the paths of a text below the base of the document as well', () => {
    const found = scanHtml('<base href="/shop/"><p>The price list is at /lists/prices.pdf.</p>')
    expect(found.links).toEqual(['/lists/prices.pdf', '/shop/lists/prices.pdf'])
    expect(scanHtml('<base href="/"><p>See /lists/prices.pdf</p>').links).toEqual(['/lists/prices.pdf'])
  })
})

describe('known files', () => {
  it('gives paths of robots.txt and its sitemaps', () => {
    expect(
      readRobots(
        'User-agent: *\nDisallow: /private/\nAllow: /public$\nDisallow: /*.bak\nSitemap: http://a.test/s.xml',
      ),
    ).toEqual({
      paths: ['/private/', '/public'],
      sitemaps: ['http://a.test/s.xml'],
    })
  })

  it('gives locations of sitemaps and refuses what declares entities', () => {
    expect(readSitemap('<urlset><url><loc> http://a.test/x </loc></url></urlset>')?.pages).toEqual([
      'http://a.test/x',
    ])
    expect(
      readSitemap('<sitemapindex><sitemap><loc>http://a.test/2.xml</loc></sitemap></sitemapindex>')?.sitemaps,
    ).toEqual(['http://a.test/2.xml'])
    expect(readSitemap('<!DOCTYPE x [<!ENTITY a "b">]><urlset/>')).toBeNull()
  })

  it('gives the operations of an OpenAPI document', () => {
    const text = JSON.stringify({
      openapi: '3.0.0',
      servers: [{ url: 'https://a.test/v2' }],
      paths: { '/users/{id}': { get: {}, delete: {}, parameters: [] } },
    })
    expect(readOpenApi(text)).toEqual([
      { method: 'GET', path: '/v2/users/{id}' },
      { method: 'DELETE', path: '/v2/users/{id}' },
    ])
    expect(readOpenApi('{"paths":{}}')).toBeNull()
    const yaml = `# of the shop
openapi: 3.1.0
servers: [{ url: https://shop.test/v3 }]
paths:
  /users/{id}:
    parameters: []
    get: { responses: {} }
    delete: { responses: {} }
`
    expect(readOpenApi(yaml)).toEqual([
      { method: 'GET', path: '/v3/users/{id}' },
      { method: 'DELETE', path: '/v3/users/{id}' },
    ])
    expect(readOpenApi('openapi: "3.0.0"\npaths: [a, {')).toBeNull()
  })

  it('gives addresses in style sheets and headers', () => {
    expect(scanCss('@import "a.css"; @font-face{src: url( /f.woff )} p{background:url(data:x)}')).toEqual([
      'a.css',
      '/f.woff',
    ])
    expect(
      scanHeaders([
        'Link',
        '</a>; rel="next", </b>; rel=x',
        'Refresh',
        '9; url=/c',
        'Location',
        '/d',
        'Content-Security-Policy',
        'x; report-uri /e',
      ]),
    ).toEqual(['/d', '/a', '/b', '/c', '/e'])
  })
})
