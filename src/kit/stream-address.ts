import { Failure } from './failure.ts'

/** Where a stream is, read from a URL such as `nats+tls://user:password@one:4222,two:4222`. */
export interface StreamAddress {
  readonly usesTls: boolean
  /** Host and port of every server named. */
  readonly servers: readonly string[]
  readonly user: string | null
  readonly password: string | null
}

const DEFAULT_PORT = 4222
const FORM = /^nats(\+tls)?:\/\/(?:([^:@/?]*)(?::([^@/?]*))?@)?([^@/?]+)\/?$/
const SERVER = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i

/** @throws Failure BAD_SETTING_TEXT without repeating the text, which may hold a password */
export function readStreamAddress(text: string): StreamAddress {
  const found = FORM.exec(text)
  if (found === null)
    throw new Failure('BAD_SETTING_TEXT', { reason: 'must be a URL like nats://user:password@host:4222' })
  const [, tls, user, password, hosts = ''] = found
  return {
    usesTls: tls !== undefined,
    servers: hosts.split(',').map(serverOf),
    user: decoded(user),
    password: decoded(password),
  }
}

function serverOf(text: string): string {
  const found = SERVER.exec(text)
  if (found === null || Number(found[1] ?? DEFAULT_PORT) > 65_535)
    throw new Failure('BAD_SETTING_TEXT', { reason: 'must name servers as host:port, separated by commas' })
  return found[1] === undefined ? `${text}:${DEFAULT_PORT}` : text
}

function decoded(text: string | undefined): string | null {
  if (text === undefined) return null
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Failure('BAD_SETTING_TEXT', { reason: 'must have user and password percent-encoded' })
  }
}
