import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { Failure } from './failure.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32
const VERSION = 'v1.'

/** Seals secrets that must be readable again, and derives keys, from the one instance key. */
export interface Sealer {
  /** Encrypted text, safe to store; `purpose` (for example `burp-key:17`) must be the same when it is opened. */
  seal(text: string, purpose: string): string
  /**
   * The text behind {@link Sealer.seal}.
   *
   * @throws Failure SEAL_BROKEN when the text was altered, belongs to another purpose or another instance key
   */
  open(sealed: string, purpose: string): string
  /** 32 bytes for one purpose; not related to any other purpose's (HKDF, RFC 5869). */
  deriveKey(purpose: string): Uint8Array
}

/** A sealer of AES-256-GCM (NIST SP 800-38D) under a key derived from the instance key, a text of high entropy. */
export function createSealer(instanceKey: string): Sealer {
  const deriveKey = (purpose: string): Uint8Array =>
    new Uint8Array(hkdfSync('sha256', instanceKey, 'vigil', purpose, KEY_BYTES))
  const key = deriveKey('seal')
  return {
    deriveKey,
    seal(text, purpose) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return VERSION + Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url')
    },
    open(sealed, purpose) {
      const bytes = Buffer.from(sealed.slice(VERSION.length), 'base64url')
      if (!sealed.startsWith(VERSION) || bytes.length < NONCE_BYTES + TAG_BYTES)
        throw new Failure('SEAL_BROKEN')
      const nonce = bytes.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(purpose)).setAuthTag(bytes.subarray(bytes.length - TAG_BYTES))
      const body = bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES)
      try {
        return decipher.update(body, undefined, 'utf8') + decipher.final('utf8')
      } catch (error) {
        throw new Failure('SEAL_BROKEN', {}, { cause: error })
      }
    },
  }
}

/** A new instance key: 256 random bits as text. */
export function newInstanceKey(): string {
  return randomBytes(KEY_BYTES).toString('base64url')
}
