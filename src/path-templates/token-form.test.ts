import { describe, expect, it } from 'vitest'
import { isVersion, strongForm, strongType } from './token-form.ts'

describe('strongForm', () => {
  it.each([
    ['42', 'integer'],
    ['-7', 'integer'],
    ['19.99', 'float'],
    ['123456789012345678901234', 'float'],
    ['507f1f77bcf86cd799439011', 'objectId'],
    ['8b1f6b1e-6f0a-4f57-9a3c-0c1f4a6c2d11', 'uuid'],
    ['fn-8b1f6b1e-6f0a-4f57-9a3c-0c1f4a6c2d11', 'uuid'],
    ['2f7a9c0be1d44c6f', 'hex'],
    ['01ARZ3NDEKTSV4RRFFQ69G5FAV', 'ulid'],
    ['2026-01-31', 'date'],
    ['2026-01-31T10:00:00Z', 'date'],
    ['ann.lee@shop.example', 'email'],
    ['ann.lee%40shop.example', 'email'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', 'jwt'],
    ['203.0.113.9', 'ip'],
    ['2001%3Adb8%3A%3A1', 'ip'],
    ['+4915112345678', 'phone'],
    ['pool1pu5jlj4q9w9jlxeu370a3c9myx47md5j5m2str0naunn2q3lkdy', 'opaque'],
    ['1,2,3', 'list'],
  ])('takes %s for a certain value: %s', (token, form) => {
    expect(strongForm(token)).toBe(form)
  })

  it.each([
    'users',
    'how-we-scaled-search-in-2024',
    'getUserAccountDetailsV2',
    'report2024q1',
    'oauth2tokens123',
    'en-GB',
    'v1',
    '%E0%A4%A',
    'a,b',
    '',
  ])('leaves %s open', (token) => {
    expect(strongForm(token)).toBeNull()
  })

  it('judges a huge token without looking at all of it', () => {
    expect(strongForm('a'.repeat(100_000))).toBe('opaque')
  })

  it('shows types of the wire', () => {
    expect(['1', '1.5', '507f1f77bcf86cd799439011', '2026-01-31', 'word'].map(strongType)).toEqual([
      'INTEGER',
      'FLOAT',
      'OBJECT_ID',
      'STRING',
      null,
    ])
  })
})

describe('isVersion', () => {
  it('knows versions by their text and their place', () => {
    expect(isVersion('v2', 'api', false)).toBe(true)
    expect(isVersion('v1beta1', '', false)).toBe(true)
    expect(isVersion('3', 'api', false)).toBe(true)
    expect(isVersion('2010-04-01', '', false)).toBe(true)
    expect(isVersion('2.0', 'api.xro', false)).toBe(true)
    expect(isVersion('1.1', 'webapi', false)).toBe(true)
  })

  it('does not take an id for a version', () => {
    expect(isVersion('3', 'api', true)).toBe(false)
    expect(isVersion('3', 'users', false)).toBe(false)
    expect(isVersion('3', 'webapi', false)).toBe(false)
    expect(isVersion('52.5', 'maps', false)).toBe(false)
    expect(isVersion('2010-04-01', 'archive', false)).toBe(false)
    expect(isVersion('volvo', 'cars', false)).toBe(false)
  })
})
