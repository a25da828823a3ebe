import { fillAnswer, type OperationName, type RequestOf, readRequest } from '../contract/index.ts'
import { Failure } from '../kit/index.ts'
import type { Call, Handler } from './handler.ts'
import { handlers } from './operations/index.ts'
import { readStoreTrouble } from './store-trouble.ts'

/**
 * Runs one operation: checks the parsed body, calls the handler, completes the answer. Who may call was decided
 * before. With {@link Call.rawBody} the body is not read here and the input is empty.
 *
 * @returns the complete body on the wire; undefined for operations without content
 * @throws Failure of the contract's table; anything else is a fault of ours
 */
export async function answerCall<Name extends OperationName>(
  name: Name,
  body: unknown,
  call: Call,
): Promise<unknown> {
  const handler = handlers[name] as Handler<Name> | undefined
  const input = call.rawBody ? ({} as RequestOf<Name>) : readRequest(name, body)
  if (!handler) throw new Failure('NOT_BUILT', { operation: name })
  try {
    return fillAnswer(name, await handler(input, call), input)
  } catch (error) {
    throw readStoreTrouble(error)
  }
}

/** Whether an operation has a handler. */
export function isBuilt(name: OperationName): boolean {
  return handlers[name] !== undefined
}
