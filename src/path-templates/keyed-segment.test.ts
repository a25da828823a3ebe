import { describe, expect, it } from 'vitest'
import { keyedSegment } from './keyed-segment.ts'

describe('keyedSegment', () => {
  it.each([
    ['Orders(5)', 'Orders()', { key: '5' }],
    ["Customers('A')", 'Customers()', { key: 'A' }],
    ["Customers('O''Neil')", 'Customers()', { key: "O'Neil" }],
    ["Customers('')", 'Customers()', { key: '' }],
    ['Customers%28%27A%2c1%27%29', 'Customers()', { key: 'A,1' }],
    ["Names('a,b=(c)')", 'Names()', { key: 'a,b=(c)' }],
    ["Prices(Year=2024,Code='X')", 'Prices()', { Year: '2024', Code: 'X' }],
    ['Sets(0f8fad5b-d9cb-469f-a165-70867728950e)', 'Sets()', { key: '0f8fad5b-d9cb-469f-a165-70867728950e' }],
    ["Old(guid'0f8fad5b')", 'Old()', { key: '0f8fad5b' }],
    ["At(on=datetime'2024-01-01')", 'At()', { on: '2024-01-01' }],
    ['NS.Nearest(lat=1.5,lon=-2)', 'NS.Nearest()', { lat: '1.5', lon: '-2' }],
    ['By(id=@p1)', 'By()', { id: '@p1' }],
    ['Orders({OrderID})', 'Orders()', { key: '{OrderID}' }],
    ['Orders(5):cancel', 'Orders():cancel', { key: '5' }],
    ["Lines(Id={Id},Name='{Name}')", 'Lines()', { Id: '{Id}', Name: '{Name}' }],
  ])('reads %s', (segment, text, keys) => {
    const keyed = keyedSegment(segment)!
    expect(keyed.text).toBe(text)
    expect(Object.fromEntries(keyed.keys.map(({ name, value }) => [name, value]))).toEqual(keys)
    for (const { value, at, end } of keyed.keys) {
      expect(keyed.source.slice(at, end).replaceAll("''", "'")).toBe(value)
    }
  })

  it.each([
    'Orders()',
    'Solaris_(1972)',
    'Mercury(planet)',
    'f(g(1))',
    'f(1,2)',
    "f('a)",
    'f(a=)',
    'f(a=1,)',
    'f(,a=1)',
    '(5)',
    '5(5)',
    'report(1).pdf',
    `f(${'a=1,'.repeat(16)}a=1)`,
    `f('${'x'.repeat(600)}')`,
  ])('leaves %s as it is', (segment) => {
    expect(keyedSegment(segment)).toBeNull()
  })
})
