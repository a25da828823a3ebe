import { describe, expect, it } from 'vitest'
import { normalisePath } from './normalise-path.ts'

describe('normalisePath', () => {
  it.each([
    ['/orders', '/orders'],
    ['/orders/', '/orders'],
    ['//orders//list', '/orders/list'],
    ['/a/./b/../c', '/a/c'],
    ['/../..', '/'],
    ['/%6Frders', '/orders'],
    ['/a%2fb/c', '/a%2Fb/c'],
    ['/search;lang=en/x', '/search/x'],
    ['/report.json', '/report.json'],
    ['/reports/7.PDF/', '/reports/7.PDF'],
    ['/photo.png', '/photo.png'],
    ['https://shop.example:8443/a?b=1#c', '/a'],
    ['https://shop.example', '/'],
    ['*', '/*'],
    ['', '/'],
    ['/?x=1', '/'],
    ['/.json', '/.json'],
    ['/%zz/%', '/%zz/%'],
    ['/straße/a b', '/stra%C3%9Fe/a%20b'],
    ['/stra%c3%9fe/a%20b', '/stra%C3%9Fe/a%20b'],
    ['/half\ud800', '/half%EF%BF%BD'],
  ])('brings %s to %s', (target, path) => {
    expect(normalisePath(target).path).toBe(path)
  })

  it('keeps what it splits off', () => {
    const { path, query, matrix, flags } = normalisePath('/a//b;v=1;w/c.xml?x=1?y')
    expect(path).toBe('/a/b/c.xml')
    expect(query).toBe('x=1?y')
    expect(matrix).toEqual([
      { segment: 1, name: 'v', value: '1' },
      { segment: 1, name: 'w', value: '' },
    ])
    expect(flags).toEqual({ hadDotSegments: false, hadRepeatedSlashes: true, hadTrailingSlash: false })
  })

  it('takes keys in parentheses for parameters of their segment', () => {
    const { path, matrix } = normalisePath("/odata/Customers('ann%40mail.example')/Orders(5);v=1/$count")
    expect(path).toBe('/odata/Customers()/Orders()/$count')
    expect(matrix).toEqual([
      { segment: 1, name: 'key', value: 'ann%40mail.example' },
      { segment: 2, name: 'key', value: '5' },
      { segment: 2, name: 'v', value: '1' },
    ])
  })

  it('leaves out the matrix parameters of segments that are left again', () => {
    expect(normalisePath('/a;v=1/b;w=2/../c;x=3').matrix.map(({ name }) => name)).toEqual(['v', 'x'])
  })

  it('tells that dot segments were there', () => {
    expect(normalisePath('/a/../b').flags.hadDotSegments).toBe(true)
  })

  it('bounds the depth of hostile paths', () => {
    expect(normalisePath('/a'.repeat(5000)).path.split('/').length).toBeLessThan(40)
  })
})
