import type { OperationName, RequestOf, ResponseOf } from '../types.ts'
import { adapters } from './adapters.ts'

/** What absent fields of an operation mean to clients of the reference; fields that are not here take their defaults. */
export function referenceDefaults(name: OperationName): Record<string, unknown> {
  return adapters[name]?.defaults ?? {}
}

/** An answer in the reference's shape; most operations answer as the specification says. */
export function referenceAnswer<Name extends OperationName>(
  name: Name,
  body: ResponseOf<Name>,
  request: RequestOf<Name>,
): unknown {
  const answer = adapters[name]?.answer
  return answer === undefined ? body : answer(body as never, request as never)
}
