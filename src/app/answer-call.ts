import {
  type AnswerOf,
  fillAnswer,
  type OperationName,
  operations,
  type RequestOf,
} from '../contract/index.ts'
import { Failure } from '../kit/index.ts'
import { auditedCall } from './audit/audited-call.ts'
import { isAudited } from './audit/audited-operations.ts'
import { checkRequest } from './check-request.ts'
import type { Call, Handler } from './handler.ts'
import { handlers } from './operations/index.ts'
import { readingCall, writingCall } from './read-replica.ts'
import { readStoreFailure } from './store-failure.ts'

/**
 * Runs one operation: checks what the request names, calls the handler, completes the answer. Who may call was decided
 * before, and the request was read; with {@link Call.rawBody} it is empty, and anyone who reads the bytes checks it.
 *
 * @returns the complete body on the wire; undefined for operations without content
 * @throws Failure of the contract's table; anything else is a fault of Vigil
 */
export async function answerCall<Name extends OperationName>(
  name: Name,
  input: RequestOf<Name>,
  call: Call,
): Promise<unknown> {
  const handler = handlers[name] as Handler<Name> | undefined
  if (!handler) throw new Failure('NOT_BUILT', { operation: name })
  try {
    await checkRequest(call.app.store, call.caller, operations[name], input)
    const operation = operations[name]
    const run = (): Promise<AnswerOf<Name>> =>
      operation.access === 'read'
        ? readingCall(name, call, (reading) => handler(input, reading))
        : writingCall(call, !isAudited(operation), () => handler(input, call))
    const answer = await auditedCall(operation, input, call, run)
    return fillAnswer(name, answer, input)
  } catch (error) {
    throw readStoreFailure(error)
  }
}

/** Whether an operation has a handler. */
export function isBuilt(name: OperationName): boolean {
  return handlers[name] !== undefined
}
