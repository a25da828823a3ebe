import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'

/** A key pair in base64: SPKI and PKCS #8. */
export interface RecordKey {
  readonly publicKey: string
  readonly privateKey: string
}

/** What a signature shows. */
interface CheckedSignature {
  readonly isValid: boolean
  /** Of the key that signed. */
  readonly publicKey: string
  readonly fingerprint: string
  readonly format: Format
}

type Format = 'JSON' | 'HTML' | 'PDF'

/** Bytes at the end of a file in which its signature is looked for. */
const TRAILER_BYTES = 2_048

/** A new Ed25519 key. */
export function newRecordKey(): RecordKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  return {
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    privateKey: privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64'),
  }
}

/** SHA-256 of a public key in groups of four hexadecimal digits, as people compare it. */
export function fingerprintOfKey(publicKey: string): string {
  const hex = createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex')
  return hex.slice(0, 40).match(/.{4}/g)!.join(' ')
}

/** What is signed: the format belongs to it, so that the content of one format is not valid as another. */
function boundTo(format: Format, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`vigil-record/1\0${format}\0`), content])
}

function signed(bytes: Uint8Array, { privateKey }: RecordKey): string {
  const key = createPrivateKey({ key: Buffer.from(privateKey, 'base64'), format: 'der', type: 'pkcs8' })
  return sign(null, bytes, key).toString('base64')
}

function isSigned(bytes: Uint8Array, publicKey: string, value: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'ed25519' && verify(null, bytes, key, Buffer.from(value, 'base64'))
  } catch {
    return false // not a key: then nothing was signed with it
  }
}

/** JSON that is not read as markup either. */
function jsonOf(value: unknown, indent = 0): string {
  return JSON.stringify(value, null, indent).replaceAll('<', String.raw`\u003c`)
}

/** The one way in which a signed record is written. */
function jsonFile(record: unknown, publicKey: string, value: string): Buffer {
  const signature = { algorithm: 'Ed25519', publicKey, value }
  return Buffer.from(`${jsonOf({ record, signature }, 1)}\n`)
}

/** A record as JSON with its signature beside it; what is signed is the record without white space. */
export function signJson(record: object, key: RecordKey): Buffer {
  const value = signed(boundTo('JSON', Buffer.from(jsonOf(record))), key)
  return jsonFile(record, key.publicKey, value)
}

/** A file with its signature in a comment at its end, which readers of HTML and PDF pass over. */
export function signFile(content: Uint8Array, format: 'HTML' | 'PDF', key: RecordKey): Buffer {
  const words = `vigil-signature Ed25519 ${key.publicKey} ${signed(boundTo(format, content), key)}`
  const trailer = format === 'HTML' ? `\n<!-- ${words} -->\n` : `\n% ${words}\n`
  return Buffer.concat([content, Buffer.from(trailer)])
}

/** Checks the signature of a file that {@link signJson} or {@link signFile} wrote; null when it has none. */
export function checkSignature(file: Buffer): CheckedSignature | null {
  const start = Math.max(0, file.length - TRAILER_BYTES)
  const end = file.subarray(start).toString('latin1')
  const found = /\n(<!--|%) vigil-signature Ed25519 ([\w+/=]+) ([\w+/=]+)(?: -->)?\n$/.exec(end)
  if (found === null) return checkJson(file)
  const [, mark, publicKey = '', value = ''] = found
  const format = mark === '%' ? 'PDF' : 'HTML'
  const content = file.subarray(0, start + found.index)
  return {
    isValid: isSigned(boundTo(format, content), publicKey, value),
    publicKey,
    fingerprint: fingerprintOfKey(publicKey),
    format,
  }
}

function checkJson(file: Buffer): CheckedSignature | null {
  let parsed: { record?: unknown; signature?: { publicKey?: unknown; value?: unknown } } | null
  try {
    parsed = JSON.parse(file.toString('utf8'))
  } catch {
    return null
  }
  const { record, signature } = parsed ?? {}
  const { publicKey, value } = signature ?? {}
  if (typeof record !== 'object' || typeof publicKey !== 'string' || typeof value !== 'string') return null
  // The whole file: fields beside the record, or a field twice, are not covered by the signature.
  const isWhole = file.equals(jsonFile(record, publicKey, value))
  return {
    isValid: isWhole && isSigned(boundTo('JSON', Buffer.from(jsonOf(record))), publicKey, value),
    publicKey,
    fingerprint: fingerprintOfKey(publicKey),
    format: 'JSON',
  }
}
