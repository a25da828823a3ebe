import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** A key and a certificate that it signed itself, both PEM. */
export interface SelfSigned {
  readonly key: string
  readonly certificate: string
  /** SHA-256 of the certificate in hex, as TLS peers report it. */
  readonly fingerprint: string
}

const SEQUENCE = 0x30
const SET = 0x31
const INTEGER = 0x02
const BIT_STRING = 0x03
const OBJECT_ID = 0x06
const UTF8 = 0x0c
const UTC_TIME = 0x17

/** 1.2.840.10045.4.3.2, ecdsa-with-SHA256 (RFC 5758 section 3.2). */
const ECDSA_SHA256 = der(SEQUENCE, der(OBJECT_ID, Buffer.from('2a8648ce3d040302', 'hex')))
/** 2.5.4.3, common name. */
const COMMON_NAME = der(OBJECT_ID, Buffer.from('550403', 'hex'))

/** Makes a certificate of version 1 (RFC 5280 section 4.1) that no client trusts. */
export function selfSigned(commonName: string): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = der(
    SEQUENCE,
    der(SET, der(SEQUENCE, Buffer.concat([COMMON_NAME, der(UTF8, Buffer.from(commonName))]))),
  )
  const validity = der(
    SEQUENCE,
    Buffer.concat([der(UTC_TIME, Buffer.from('200101000000Z')), der(UTC_TIME, Buffer.from('491231235959Z'))]),
  )
  const serial = der(INTEGER, Buffer.concat([Buffer.from([1]), randomBytes(8)]))
  const subjectKey = publicKey.export({ type: 'spki', format: 'der' })
  const body = der(SEQUENCE, Buffer.concat([serial, ECDSA_SHA256, name, validity, name, subjectKey]))
  const signature = der(BIT_STRING, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]))
  const certificate = der(SEQUENCE, Buffer.concat([body, ECDSA_SHA256, signature]))
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: pem(certificate),
    fingerprint: createHash('sha256').update(certificate).digest('hex'),
  }
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function pem(bytes: Buffer): string {
  const lines = bytes
    .toString('base64')
    .replace(/(.{64})/g, '$1\n')
    .trimEnd()
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`
}
