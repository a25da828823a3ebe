import { describe, expect, it } from 'vitest'
import { detectDataTypes } from './detect.ts'
import { DATA_TYPES } from './registry.generated.ts'

const UNRELATED: readonly { value: string; key: string }[] = [
  { value: '', key: 'empty' },
  { value: 'active', key: 'status' },
  { value: '2023-03-09T14:50:29.996Z', key: 'createdAt' },
  { value: '1678373430123', key: 'timestamp' },
  { value: '100023482', key: 'orderNumber' },
  { value: 'ORD-2023-000123', key: 'orderId' },
  { value: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', key: 'sha256' },
  { value: 'd41d8cd98f00b204e9800998ecf8427e', key: 'etag' },
  { value: 'assets/public/images/uploads/default.svg', key: 'profileImage' },
  { value: 'Apple Juice (1000ml)', key: 'name' },
  { value: 'The all-time classic, fruity and fresh since 1987.', key: 'description' },
  { value: 'application/json, text/plain, */*', key: 'accept' },
  { value: 'en-GB,en-US;q=0.9,en;q=0.8', key: 'accept-language' },
  { value: 'W/"33a-CNP0uzn0+OgghHzsSNi62nRjeIw"', key: 'etag' },
  { value: '4.99', key: 'price' },
  { value: '-80', key: 'captcha' },
]

describe('data types', () => {
  it('have unique names', () => {
    expect(new Set(DATA_TYPES.map((type) => type.name)).size).toBe(DATA_TYPES.length)
  })

  for (const type of DATA_TYPES) {
    describe(type.name, () => {
      it('has a true and a false example', () => {
        expect(type.cases.some((example) => example.expect)).toBe(true)
        expect(type.cases.some((example) => !example.expect)).toBe(true)
      })
      for (const example of type.cases) {
        it(`${example.expect ? 'is' : 'is not'} ${JSON.stringify(example.value).slice(0, 60)} under ${example.key}: ${example.because}`, () => {
          const { key = '', parentKey = '', location = 'RESPONSE_PAYLOAD' } = example
          const found = detectDataTypes(example.value, { key, parentKey, location })
          expect(found.some((hit) => hit.name === type.name)).toBe(example.expect)
        })
      }
    })
  }

  for (const { value, key } of UNRELATED) {
    it(`finds nothing in ${JSON.stringify(value).slice(0, 50)} under ${key}`, () => {
      expect(detectDataTypes(value, { key, parentKey: '', location: 'RESPONSE_PAYLOAD' })).toEqual([])
    })
  }

  it('answers in bounded time for long and hostile values', () => {
    const hostile = [
      'a@'.repeat(50_000),
      '1-'.repeat(50_000),
      `${'a.'.repeat(50_000)}@`,
      'eyJ'.repeat(50_000),
      '<'.repeat(99_999),
    ]
    const before = process.hrtime.bigint()
    for (const value of hostile)
      detectDataTypes(value, { key: 'email', parentKey: '', location: 'REQUEST_PAYLOAD' })
    expect(Number(process.hrtime.bigint() - before) / 1e6).toBeLessThan(1500)
  })
})
