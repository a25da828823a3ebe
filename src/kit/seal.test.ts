import { expect, test } from 'vitest'
import { createSealer, Failure, newInstanceKey } from './index.ts'

const sealer = createSealer(newInstanceKey())

function codeOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    return error instanceof Failure ? error.code : String(error)
  }
  return 'none'
}

test('what was sealed for a purpose opens for that purpose', () => {
  const sealed = sealer.seal('geheim ✓', 'burp-key:1')
  expect(sealed).not.toContain('geheim')
  expect(sealer.open(sealed, 'burp-key:1')).toBe('geheim ✓')
  expect(sealer.seal('geheim ✓', 'burp-key:1')).not.toBe(sealed)
})

test('another purpose, another instance key, an altered or cut text do not open', () => {
  const sealed = sealer.seal('secret', 'burp-key:1')
  expect(codeOf(() => sealer.open(sealed, 'burp-key:2'))).toBe('SEAL_BROKEN')
  expect(codeOf(() => createSealer(newInstanceKey()).open(sealed, 'burp-key:1'))).toBe('SEAL_BROKEN')
  const altered = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA')
  expect(codeOf(() => sealer.open(altered, 'burp-key:1'))).toBe('SEAL_BROKEN')
  expect(codeOf(() => sealer.open(sealed.slice(0, 12), 'burp-key:1'))).toBe('SEAL_BROKEN')
  expect(codeOf(() => sealer.open('', 'burp-key:1'))).toBe('SEAL_BROKEN')
})

test('derived keys differ by purpose and are stable', () => {
  expect(sealer.deriveKey('sessions')).toEqual(sealer.deriveKey('sessions'))
  expect(sealer.deriveKey('sessions')).not.toEqual(sealer.deriveKey('other'))
})
