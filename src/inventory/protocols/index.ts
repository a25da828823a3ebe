export { logicalOperationsOf, maySpeakProtocol } from './logical-operations.ts'
export type { OperationView } from './operation.ts'
