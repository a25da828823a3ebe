import { Failure } from './failure.ts'

/** Brokers that a stream can be read from. */
export type StreamKind = 'kafka' | 'nats'

/** How a user of Kafka proves who they are. */
export type SaslMechanism = 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512'

/** Where a stream is, read from a URL such as `nats+tls://user:password@one:4222,two:4222`. */
export interface StreamAddress {
  readonly kind: StreamKind
  readonly usesTls: boolean
  /** Host and port of every server named. */
  readonly servers: readonly string[]
  readonly user: string | null
  readonly password: string | null
  /** Kafka only. */
  readonly saslMechanism: SaslMechanism
}

const DEFAULT_PORTS: Readonly<Record<StreamKind, number>> = { kafka: 9092, nats: 4222 }
const FORM =
  /^(kafka|nats)(\+tls)?:\/\/(?:([^:@/?]*)(?::([^@/?]*))?@)?([^@/?]+)\/?(?:\?sasl=(PLAIN|SCRAM-SHA-256|SCRAM-SHA-512))?$/
const SERVER = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i

/** @throws Failure BAD_SETTING_TEXT without repeating the text, which may hold a password */
export function readStreamAddress(text: string): StreamAddress {
  const found = FORM.exec(text)
  const [, kind, tls, user, password, hosts = '', mechanism] = found ?? []
  if (found === null || (mechanism !== undefined && kind !== 'kafka'))
    throw new Failure('BAD_SETTING_TEXT', {
      reason: 'must be a URL like kafka://user:password@host:9092 or nats://user:password@host:4222',
    })
  return {
    kind: kind as StreamKind,
    usesTls: tls !== undefined,
    servers: hosts.split(',').map((host) => serverOf(host, DEFAULT_PORTS[kind as StreamKind])),
    user: decoded(user),
    password: decoded(password),
    saslMechanism: (mechanism as SaslMechanism | undefined) ?? 'PLAIN',
  }
}

function serverOf(text: string, defaultPort: number): string {
  const found = SERVER.exec(text)
  if (found === null || Number(found[1] ?? defaultPort) > 65_535)
    throw new Failure('BAD_SETTING_TEXT', { reason: 'must name servers as host:port, separated by commas' })
  return found[1] === undefined ? `${text}:${defaultPort}` : text
}

function decoded(text: string | undefined): string | null {
  if (text === undefined) return null
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Failure('BAD_SETTING_TEXT', { reason: 'must have user and password percent-encoded' })
  }
}
