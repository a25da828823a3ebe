export { logicalOperationsOf, maySpeakProtocol } from './logical-operations.ts'
export type {
  ApiType,
  LogicalOperation,
  LogicalOperations,
  OperationAttributes,
  OperationView,
} from './operation.ts'
