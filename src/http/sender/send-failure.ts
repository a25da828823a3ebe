import { Failure } from '../../kit/index.ts'

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its name is not known',
  EAI_AGAIN: 'its name cannot be resolved now',
  ECONNRESET: 'it closed the connection',
  UND_ERR_SOCKET: 'it closed the connection',
  EPIPE: 'it closed the connection',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  EPROTO: 'it speaks no TLS that is understood',
}
const CERTIFICATE =
  /^(?:CERT_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_CERT|UNABLE_TO_|ERR_TLS_CERT_|CRL_|HOSTNAME_MISMATCH)/
const TIMEOUT = /^(?:ETIMEDOUT|UND_ERR_\w+_TIMEOUT)$/
const PROTOCOL = /^(?:UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_\w+|UND_ERR_RESPONSE\w*)$/

/**
 * What a failed request means to the person who reads the result.
 * @param hadHead true when the headers of the answer had arrived
 */
export function sendFailure(error: unknown, host: string, hadHead: boolean, connectMs: number): Failure {
  if (error instanceof Failure) {
    return new Failure(error.code, { ...error.details, host }, { cause: error.cause })
  }
  const code = codeOf(error)
  const { message } = error as Error
  const options = { cause: error }
  if (TIMEOUT.test(code)) return new Failure('TARGET_TIMEOUT', { host, seconds: connectMs / 1000 }, options)
  if (CERTIFICATE.test(code))
    return new Failure('TARGET_CERTIFICATE_REFUSED', { host, reason: code }, options)
  if (isProtocolError(error)) return new Failure('TARGET_BROKE_PROTOCOL', { host, reason: message }, options)
  if (hadHead) return new Failure('TARGET_BROKE_PROTOCOL', { host, reason: 'it ends too early' }, options)
  const reason = REASONS[code] ?? (code === '' ? message : code)
  return new Failure('TARGET_UNREACHABLE', { host, reason }, options)
}

/** Whether the library could not make sense of an answer. */
export function isProtocolError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error.name === 'HTTPParserError' || PROTOCOL.test(codeOf(error))) return true
  return codeOf(error) === 'UND_ERR_SOCKET' && /^bad (?:response|upgrade)$/.test(error.message)
}

/** Whether a kept connection was closed from the other side before anything of an answer came. */
export function isClosedConnection(error: unknown): boolean {
  return /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(codeOf(error))
}

/** Whether the library refused to send a request at all. */
export function isRefusedByLibrary(error: unknown): boolean {
  return /^UND_ERR_(?:INVALID_ARG|NOT_SUPPORTED)$/.test(codeOf(error))
}

function codeOf(error: unknown): string {
  return (error as { code?: string } | undefined)?.code ?? ''
}
