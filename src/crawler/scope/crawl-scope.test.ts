import { describe, expect, it } from 'vitest'
import { CrawlScope } from './crawl-scope.ts'
import { splitList } from './split-list.ts'

function scope(outscope: string, templates = '', hosts: string[] = []): CrawlScope {
  const read = CrawlScope.read({
    start: 'http://shop.test:8080/app',
    outscope: splitList(outscope),
    templates: splitList(templates),
    hosts,
  })
  if (typeof read === 'string') throw new Error(read)
  return read
}

describe('the scope of a crawl', () => {
  it('is host and port of the start', () => {
    const own = scope('')
    expect(own.judge('http://shop.test:8080/anything?x=1').accepted).toBe(true)
    expect(own.judge('ws://shop.test:8080/live').accepted).toBe(true)
    expect(own.judge('http://shop.test/').reason).toBe('other host')
    expect(own.judge('http://api.shop.test:8080/').reason).toBe('other host')
    expect(own.judge('javascript:alert(1)').reason).toBe('scheme')
    expect(own.judge('no url').reason).toBe('malformed')
  })

  it('grows by hosts that are named', () => {
    const wide = scope('', '', ['api.shop.test', 'other.test:99'])
    expect(wide.judge('http://api.shop.test/v1').accepted).toBe(true)
    expect(wide.judge('http://other.test:99/').accepted).toBe(true)
    expect(wide.judge('http://other.test/').accepted).toBe(false)
  })

  it('leaves out paths below a prefix, and not those that only begin alike', () => {
    const own = scope('/admin, /api/*/private')
    expect(own.judge('http://shop.test:8080/admin').reason).toBe('out of scope: /admin')
    expect(own.judge('http://shop.test:8080/admin/users?x').accepted).toBe(false)
    expect(own.judge('http://shop.test:8080/administration').accepted).toBe(true)
    expect(own.judge('http://shop.test:8080/api/v1/x/private/deep').accepted).toBe(false)
    expect(own.judge('http://shop.test:8080/api/v1').accepted).toBe(true)
  })

  it('reads encoded paths and routes in the fragment as the server and the page would', () => {
    const own = scope('/admin')
    expect(own.judge('http://shop.test:8080/%61dmin').accepted).toBe(false)
    expect(own.judge('http://shop.test:8080/app#/admin/users').accepted).toBe(false)
    expect(own.judge('http://shop.test:8080/app#!/admin').accepted).toBe(false)
    expect(own.judge('http://shop.test:8080/app#admin').accepted).toBe(true)
  })

  it('leaves out whole URLs by pattern, with or without query', () => {
    const own = scope('http://shop.test:8080/*/export')
    expect(own.judge('http://shop.test:8080/a/b/export?format=csv').accepted).toBe(false)
    expect(own.judge('http://shop.test:8080/exports').accepted).toBe(true)
  })

  it('leaves out what a regular expression finds', () => {
    const own = scope(String.raw`re:/item/\d+$`)
    expect(own.judge('http://shop.test:8080/item/7').accepted).toBe(false)
    expect(own.judge('http://shop.test:8080/item/x').accepted).toBe(true)
  })

  it('leaves out URLs that a regular expression has no time for, and only those', () => {
    const own = scope('re:/admin/')
    const long = 'x'.repeat(60_000)
    expect(own.judge(`http://shop.test:8080/shop?q=${long}`).accepted).toBe(true)
    expect(own.judge(`http://shop.test:8080/admin/?q=${long}`).accepted).toBe(false)
    expect(own.judge(`http://shop.test:8080/admin/?q=${long}${long}`).accepted).toBe(false)
  })

  it('says which entry is wrong', () => {
    const wrong = (outscope: string[], templates: string[] = []) =>
      CrawlScope.read({ start: 'http://shop.test/', outscope, templates })
    expect(wrong(['re:('])).toContain('outscopeUrls: re:(')
    expect(wrong(splitList('re:/[a,b]'))).toContain(String.raw`write \x2c`)
    expect(splitList('re:/a{2,3}/b{2,}, /c ,re:x{4}')).toEqual(['re:/a{2,3}/b{2,}', '/c', 're:x{4}'])
    expect(wrong(['admin'])).toContain('neither a path')
    expect(wrong([], ['users'])).toContain('urlTemplatePatterns: users')
    expect(CrawlScope.read({ start: 'ftp://x/', outscope: [], templates: [] })).toContain('not http')
  })

  it('takes {name} and * for one segment and ** for any number', () => {
    const own = scope('', '/users/{id}, /shop/*/item, /docs/**')
    const template = (path: string) => own.templateOf(new URL(`http://shop.test:8080${path}`))
    expect(template('/users/7')).toBe('/users/{id}')
    expect(template('/users/7/posts')).toBeNull()
    expect(template('/users/')).toBeNull()
    expect(template('/shop/shoes/item')).toBe('/shop/*/item')
    expect(template('/docs/a/b/c')).toBe('/docs/**')
    expect(template('/app#/users/9')).toBe('/users/{id}')
  })

  it('answers at once for patterns made to be slow', () => {
    const own = scope(`/${'*a'.repeat(200)}`, `/**/${'*/'.repeat(20)}**`)
    const started = performance.now()
    own.judge(`http://shop.test:8080/${'a'.repeat(5000)}b`)
    own.templateOf(new URL(`http://shop.test:8080/${'a/'.repeat(1000)}`))
    expect(performance.now() - started).toBeLessThan(500)
  })
})
