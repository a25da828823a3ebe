import { fillAnswer, type OperationName, type RequestOf } from '../contract/index.ts'
import { Failure } from '../kit/index.ts'
import type { Call, Handler } from './handler.ts'
import { handlers } from './operations/index.ts'
import { readStoreTrouble } from './store-trouble.ts'

/**
 * Runs one operation: calls the handler, completes the answer. Who may call was decided before, and the request was
 * read; with {@link Call.rawBody} it is empty and the handler reads the bytes.
 *
 * @returns the complete body on the wire; undefined for operations without content
 * @throws Failure of the contract's table; anything else is a fault of ours
 */
export async function answerCall<Name extends OperationName>(
  name: Name,
  input: RequestOf<Name>,
  call: Call,
): Promise<unknown> {
  const handler = handlers[name] as Handler<Name> | undefined
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
