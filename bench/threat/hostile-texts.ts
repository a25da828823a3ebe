import type { ThreatMessage } from '../../src/threat/index.ts'
import { messageOf } from './messages.ts'

/** A message that is made to cost time. */
export interface HostileText {
  readonly name: string
  readonly message: ThreatMessage
}

const KIB = 1_024
/** Beginnings of attacks that never come to their end. */
const TOKENS = [
  'union  all sel',
  "' or 'a' lik",
  '<svg on',
  '../..',
  '${jnd',
  '; cat ',
  '{{7*',
  '<script',
  'select from where ',
  '$(',
  'http://127.0.0',
  'javascript:',
  '%u00',
  '&#x3c;',
  'sleep',
  '/etc/pass',
  '<!ENTI',
  '__proto',
  ')(|(uid=',
  'exec xp_',
]

function body(name: string, text: string, type = 'text/plain'): HostileText {
  const headers = { host: 'shop.example', 'content-type': type }
  return { name, message: messageOf({ method: 'POST', path: '/orders', headers, body: text }) }
}

function repeated(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length)
}

/** Tokens in an order that repeats exactly and has no period. */
function mixed(length: number, seed: number): string {
  let text = ''
  for (let state = seed; text.length < length; ) {
    state = (state * 16_807) % 2_147_483_647
    text += TOKENS[state % TOKENS.length]! + (state % 3 === 0 ? ' ' : '')
  }
  return text.slice(0, length)
}

function layered(text: string, layers: number, encode: (text: string) => string): string {
  let coded = text
  for (let i = 0; i < layers; i++) coded = encode(coded)
  return coded
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')

export const HOSTILE_TEXTS: readonly HostileText[] = [
  body('mixed tokens, 4 KiB', mixed(4 * KIB, 7)),
  body('mixed tokens, 64 KiB', mixed(64 * KIB, 11)),
  body('mixed tokens in JSON, 64 KiB', JSON.stringify({ q: mixed(64 * KIB, 13) }), 'application/json'),
  body(
    'mixed tokens in 500 fields',
    JSON.stringify(Array.from({ length: 500 }, (_, i) => mixed(128, i + 3))),
    'application/json',
  ),
  ...TOKENS.slice(0, 12).map((token) => body(`repeated ${token}`, repeated(`${token} `, 64 * KIB))),
  body('one letter, 1 MiB', 'a'.repeat(KIB * KIB)),
  body('one letter in JSON, 1 MiB', JSON.stringify({ a: 'a'.repeat(KIB * KIB) }), 'application/json'),
  body('blanks, 64 KiB', ' '.repeat(64 * KIB)),
  body('less-than signs and blanks, 64 KiB', repeated('<  ', 64 * KIB)),
  body('Base64 in Base64, 5 layers', layered(mixed(8 * KIB, 17), 5, base64)),
  body('percent codes, 5 layers', layered("<svg onload='x' union select", 5, percentAll).slice(0, 64 * KIB)),
  body(
    'percent codes in a query',
    `q=${layered(mixed(2 * KIB, 19), 2, percentAll)}`.slice(0, 64 * KIB),
    'application/x-www-form-urlencoded',
  ),
  body('arrays, 20,000 deep', `${'['.repeat(20_000)}1${']'.repeat(20_000)}`, 'application/json'),
  body('objects, 20,000 deep', '{"a":'.repeat(20_000), 'application/json'),
  body(
    'JSON in JSON, 8 layers',
    layered(JSON.stringify({ a: mixed(512, 23) }), 8, (text) => JSON.stringify({ a: text })),
    'application/json',
  ),
  body(
    '20,000 short fields',
    JSON.stringify(Array.from({ length: 20_000 }, (_, i) => `or ${i}=${i}`)),
    'application/json',
  ),
  body('entities, 64 KiB', repeated('&lt;&#x73;&#99;ript', 64 * KIB)),
  body('multipart, 2,000 parts', multipart(2_000), 'multipart/form-data; boundary=x'),
]

function percentAll(text: string): string {
  return Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
}

function multipart(parts: number): string {
  const one = (i: number): string =>
    `--x\r\ncontent-disposition: form-data; name="f${i}"\r\n\r\n../..${i}\r\n`
  return `${Array.from({ length: parts }, (_, i) => one(i)).join('')}--x--\r\n`
}
