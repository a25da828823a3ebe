import type { OperationName, RequestOf, ResponseOf } from '../types.ts'

/** What an operation reads and answers differently for clients of the reference platform. */
export interface ReferenceAdapter<Name extends OperationName = OperationName> {
  /** What absent fields without a default mean to these clients. */
  readonly defaults?: Partial<RequestOf<Name>>
  /** The answer in the shape that these clients read, made of the specification's. */
  readonly answer?: (body: ResponseOf<Name>, request: RequestOf<Name>) => unknown
}

/** Declares an adapter; exists to check its types against the operation. */
export function adapter<Name extends OperationName>(
  _name: Name,
  definition: ReferenceAdapter<Name>,
): ReferenceAdapter {
  return definition as ReferenceAdapter
}
