import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { detectNested } from './detect-nested.ts'

function base64(text: string | Buffer): string {
  return Buffer.from(text).toString('base64')
}

function routes(value: string, path = 'data#blob'): string[] {
  const key = path.split('#').at(-1)!
  return detectNested(value, path, { key, parentKey: '', location: 'RESPONSE_PAYLOAD' }).map(
    (finding) => finding.route,
  )
}

describe('detectNested', () => {
  it('names the way through base64 and JSON', () => {
    expect(routes(base64('{"user":{"email":"ann@shop.test"}}'))).toEqual([
      'data#blob → base64 → json → email',
    ])
  })

  it('reads the claims of a token', () => {
    const token = `eyJhbGciOiJIUzI1NiJ9.${base64('{"sub":"42","email":"ann@shop.test"}').replace(/=+$/, '')}.c2lnbmF0dXJl`
    expect(routes(token, 'token')).toEqual(['token → jwt → email'])
    expect(routes(`Bearer ${token}`, 'authorization')).toEqual(['authorization → jwt → email'])
  })

  it('reads percent codes and JSON in a text', () => {
    expect(routes(encodeURIComponent('{"ssn":"536-90-4399"}'), 'q')).toEqual(['q → percent → json → ssn'])
    expect(routes('{"card":"4111111111111111"}', 'payload')).toEqual(['payload → json → credit_card'])
  })

  it('reads compressed values', () => {
    expect(routes(base64(gzipSync('{"email":"ann@shop.test"}')))).toEqual([
      'data#blob → base64 → gzip → json → email',
    ])
  })

  it('uses the inner key for types that only their name tells', () => {
    const [finding] = detectNested(base64('{"password":"victim123"}'), 'x', {
      key: 'x',
      parentKey: '',
      location: 'QUERY',
    })
    expect(finding).toMatchObject({ name: 'PASSWORD', innerKey: 'password' })
  })

  it('stops after three levels', () => {
    const once = base64('{"email":"ann@shop.test"}')
    expect(routes(base64(once))).toHaveLength(1)
    expect(routes(base64(base64(base64(once))))).toEqual([])
  })

  it('finds nothing in plain values, hashes and pictures', () => {
    expect(routes('The all-time classic, fruity and fresh')).toEqual([])
    expect(routes('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08')).toEqual([])
    expect(routes('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ')).toEqual([])
    expect(routes('assets/public/images/uploads/default.svg')).toEqual([])
  })

  it('keeps to its budget', () => {
    const many = JSON.stringify(Array.from({ length: 5000 }, (_, i) => ({ [`k${i}`]: `user${i}@shop.test` })))
    const before = process.hrtime.bigint()
    routes(many, 'x')
    routes(base64(gzipSync(Buffer.alloc(50_000_000))))
    routes('%7B'.repeat(100_000))
    routes('['.repeat(60_000))
    expect(Number(process.hrtime.bigint() - before) / 1e6).toBeLessThan(2000)
  })
})
