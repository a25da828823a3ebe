import { describe, expect, it } from 'vitest'
import type { SubType } from './subtypes.ts'
import { basicSubtype } from './subtypes.ts'

const SUBTYPES: readonly [unknown, SubType][] = [
  [true, 'TRUE'],
  [false, 'FALSE'],
  [null, 'NULL'],
  [undefined, 'NULL'],
  [0, 'INTEGER_32'],
  [2_147_483_647, 'INTEGER_32'],
  [2_147_483_648, 'INTEGER_64'],
  [-2_147_483_649, 'INTEGER_64'],
  [1e300, 'FLOAT'],
  [4.99, 'FLOAT'],
  ['', 'GENERIC'],
  ['-', 'GENERIC'],
  ['0', 'INTEGER_32'],
  ['42', 'INTEGER_32'],
  ['-42', 'INTEGER_32'],
  ['-0', 'GENERIC'],
  ['2147483648', 'INTEGER_64'],
  ['9223372036854775807', 'INTEGER_64'],
  ['9223372036854775808', 'FLOAT'],
  ['007', 'GENERIC'],
  ['+4915112345678', 'GENERIC'],
  [' 42', 'GENERIC'],
  ['4.99', 'FLOAT'],
  ['-0.5', 'FLOAT'],
  ['1.5e10', 'FLOAT'],
  ['00.5', 'GENERIC'],
  ['1e5', 'GENERIC'],
  ['12e4567', 'GENERIC'],
  ['1.2.3', 'GENERIC'],
  ['.', 'GENERIC'],
  ['true', 'GENERIC'],
  ['null', 'GENERIC'],
  ['1'.repeat(50), 'GENERIC'],
  [{}, 'OTHER'],
  [[], 'OTHER'],
]

describe('basicSubtype', () => {
  for (const [value, wanted] of SUBTYPES) {
    it(`calls ${JSON.stringify(value)} ${wanted}`, () => expect(basicSubtype(value)).toBe(wanted))
  }
})
