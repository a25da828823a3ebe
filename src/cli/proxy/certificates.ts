import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'
import { bits, boolean, integer, octets, oid, sequence, set, tagged, time, utf8 } from './der.ts'

const DAY_MS = 86_400_000
const CA_DAYS = 365
const HOST_DAYS = 30
const SKEW_MS = 3_600_000
const OWNER_ONLY = 0o600
const FOLDER_MODE = 0o700
const NAME = 'Vigil capturing proxy'

const ECDSA_SHA256 = sequence(oid('1.2.840.10045.4.3.2'))
/** Bits of a key usage, the highest first. */
const SIGNS_CERTIFICATES = Buffer.from([0b0000_0110])
const SIGNS_HANDSHAKES = Buffer.from([0b1000_0000])

interface Issued {
  readonly subject: string
  readonly publicKey: KeyObject
  readonly days: number
  readonly extensions: readonly Buffer[]
}

function nameOf(commonName: string): Buffer {
  return sequence(set(sequence(oid('2.5.4.3'), utf8(commonName))))
}

function extension(id: string, isCritical: boolean, value: Buffer): Buffer {
  return sequence(oid(id), ...(isCritical ? [boolean(true)] : []), octets(value))
}

function pem(kind: string, bytes: Buffer): string {
  return `-----BEGIN ${kind}-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n').trimEnd()}\n-----END ${kind}-----\n`
}

/** Identifies a key: a digest of it. */
function keyIdentifier(key: KeyObject): Buffer {
  return createHash('sha1')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest()
}

/** An X.509 certificate (RFC 5280) signed with `key`, as PEM. */
function issue({ subject, publicKey, days, extensions }: Issued, issuer: string, key: KeyObject): string {
  const now = Date.now()
  const all = [
    ...extensions,
    extension('2.5.29.14', false, octets(keyIdentifier(publicKey))),
    extension('2.5.29.35', false, sequence(tagged(0, false, keyIdentifier(createPublicKey(key))))),
  ]
  const body = sequence(
    tagged(0, true, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    ECDSA_SHA256,
    nameOf(issuer),
    sequence(time(new Date(now - SKEW_MS)), time(new Date(now + days * DAY_MS))),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(3, true, sequence(...all)),
  )
  return pem('CERTIFICATE', sequence(body, ECDSA_SHA256, bits(sign('sha256', body, key))))
}

function subjectName(host: string): Buffer {
  const family = isIP(host)
  if (family === 0) return tagged(2, false, Buffer.from(host))
  return tagged(7, false, family === 4 ? Buffer.from(host.split('.').map(Number)) : ipv6Bytes(host))
}

function ipv6Bytes(address: string): Buffer {
  const [head = '', tail] = address.split('::')
  const groups = (text: string | undefined): number[] =>
    text === undefined || text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const start = groups(head)
  const end = groups(tail)
  const all = [...start, ...Array<number>(8 - start.length - end.length).fill(0), ...end]
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]))
}

/**
 * A certificate authority of this user, and certificates of hosts under it. The key stays in one folder, readable by
 * its owner only; anyone who has it can pose as any site before programs that trust the certificate.
 */
export class Certificates {
  readonly #key: KeyObject
  readonly #hostKey = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #contexts = new Map<string, SecureContext>()
  /** Where programs find the certificate that they are to trust. */
  readonly file: string
  /** The same with the public authorities, for programs that trust one file only. */
  readonly bundleFile: string
  readonly certificate: string

  /** Opens the authority of a folder, or makes one: at first, and when the old one is about to end. */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE })
    this.file = join(folder, 'ca.pem')
    this.bundleFile = join(folder, 'ca-bundle.pem')
    const keyFile = join(folder, 'ca-key.pem')
    if (existsSync(this.file) && existsSync(keyFile)) {
      const certificate = readFileSync(this.file, 'utf8')
      if (Date.parse(new X509Certificate(certificate).validTo) > Date.now() + HOST_DAYS * DAY_MS) {
        this.certificate = certificate
        this.#key = createPrivateKey(readFileSync(keyFile, 'utf8'))
        this.#writeBundle()
        return
      }
    }
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    this.#key = privateKey
    const extensions = [
      extension('2.5.29.19', true, sequence(boolean(true))),
      extension('2.5.29.15', true, bits(SIGNS_CERTIFICATES, 1)),
    ]
    this.certificate = issue({ subject: NAME, publicKey, days: CA_DAYS, extensions }, NAME, privateKey)
    writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: OWNER_ONLY })
    chmodSync(keyFile, OWNER_ONLY)
    writeFileSync(this.file, this.certificate)
    this.#writeBundle()
  }

  #writeBundle(): void {
    writeFileSync(this.bundleFile, [...rootCertificates, this.certificate].join('\n'))
  }

  /** A certificate of the host for servers, as PEM. */
  certificateFor(host: string): string {
    const extensions = [
      extension('2.5.29.15', true, bits(SIGNS_HANDSHAKES, 7)),
      extension('2.5.29.37', false, sequence(oid('1.3.6.1.5.5.7.3.1'))),
      extension('2.5.29.17', false, sequence(subjectName(host))),
    ]
    // A common name has 64 characters at most; the host is in the alternative name.
    const subject = host.slice(0, 64)
    return issue(
      { subject, publicKey: this.#hostKey.publicKey, days: HOST_DAYS, extensions },
      NAME,
      this.#key,
    )
  }

  /** What a server for the host shows to its clients. */
  contextFor(host: string): SecureContext {
    const known = this.#contexts.get(host)
    if (known !== undefined) return known
    const context = createSecureContext({
      cert: this.certificateFor(host) + this.certificate,
      key: this.#hostKey.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    })
    this.#contexts.set(host, context)
    return context
  }
}
