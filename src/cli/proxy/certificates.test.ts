import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Certificates } from './certificates.ts'

test('an authority is made once, its key is readable by its owner only, and it signs certificates of hosts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vigil-test-ca-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const made = new Certificates(folder)
  expect(statSync(join(folder, 'ca-key.pem')).mode & 0o777).toBe(0o600)
  const root = new X509Certificate(made.certificate)
  expect(root.ca).toBe(true)
  expect(root.verify(root.publicKey)).toBe(true)
  const again = new Certificates(folder)
  expect(again.certificate).toBe(made.certificate)
  const leafOf = (host: string): X509Certificate => {
    const leaf = new X509Certificate(again.certificateFor(host))
    expect(leaf.verify(root.publicKey)).toBe(true)
    expect(leaf.checkIssued(root)).toBe(true)
    expect(leaf.ca).toBe(false)
    return leaf
  }
  const long = `${'a'.repeat(60)}.shop.example`
  expect(leafOf('shop.example').checkHost('shop.example')).toBe('shop.example')
  expect(leafOf(long).checkHost(long)).toBe(long)
  expect(leafOf('shop.example').checkHost('other.example')).toBeUndefined()
  expect(leafOf('127.0.0.1').checkIP('127.0.0.1')).toBe('127.0.0.1')
  expect(leafOf('2001:db8::1').checkIP('2001:db8::1')).toBe('2001:db8::1')
})
