import type { FastifyReply, FastifyRequest } from 'fastify'
import { type App, readStoreFailure } from '../app/index.ts'
import { describeFailure, errorCodeHeader } from '../contract/index.ts'
import { Failure, reportError, type Settings } from '../kit/index.ts'
import { acceptedCodings } from './body-decoder.ts'
import { jsonType } from './json-type.ts'
import { traceOf } from './trace.ts'

/** How an error is written for clients that do not read JSON. */
interface FailureForm {
  readonly type: string
  encode(messages: readonly string[]): Buffer
}

/** Answers an error as the table has it; what is not in the table goes to the log under the request id. */
export function replyFailure(
  { log, settings, form }: Pick<App, 'log' | 'settings'> & { readonly form?: FailureForm | undefined },
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const failure = readStoreFailure(readFramework(error))
  const { status, messages, code, retryAfterSeconds } = describeFailure(failure)
  const trace = traceOf(request)
  trace.code = code
  if (code === 'CLIENT_GONE') {
    reply.hijack() // nobody is there to read an answer
    return
  }
  if (status >= 500 && code !== 'NOT_BUILT' && code !== 'OVERLOADED' && code !== 'SHUTTING_DOWN') {
    const cause = failure instanceof Failure ? (failure.cause ?? failure) : failure
    log.error('call.failed', {
      requestId: request.id,
      operation: trace.operation ?? 'none',
      error: reportError(cause),
    })
  }
  if (code === 'UNSUPPORTED_ENCODING') reply.header('accept-encoding', acceptedCodings)
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  reply.code(status).header(errorCodeHeader, code)
  if (form !== undefined) reply.type(form.type).send(form.encode(messages))
  else {
    const actionErrors = isSilent(code, settings) ? [] : messages
    reply.type(jsonType).send(JSON.stringify({ actionErrors }))
  }
}

/** Pages of the reference renew their session when they are refused without a message, and show messages otherwise. */
function isSilent(code: string, { compatibility }: Settings): boolean {
  return code === 'SESSION_EXPIRED' && compatibility === 'reference'
}

/** Errors of the framework and its plugins speak of the request's form; their codes start so. */
function readFramework(error: unknown): unknown {
  const { code, statusCode } = error as { code?: unknown; statusCode?: unknown }
  // A client that went away while its answer was on the way: no fault of anybody.
  if (code === 'ERR_STREAM_PREMATURE_CLOSE') return new Failure('CLIENT_GONE', {}, { cause: error })
  if (typeof code !== 'string' || !code.startsWith('FST_')) return error
  if (statusCode === 415) return new Failure('UNSUPPORTED_MEDIA_TYPE', {}, { cause: error })
  const isAboutRequest = typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500
  return isAboutRequest ? new Failure('NOT_FOUND', {}, { cause: error }) : error
}
