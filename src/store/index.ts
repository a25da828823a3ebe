export { advisoryLocks, lockTransaction } from './advisory-locks.ts'
export type {
  CollectionKind,
  CollectionTag,
  ConfigOverride,
  EndpointKeyRow,
  FactDetail,
  FactKind,
  GroupCondition,
  IssueEventKind,
  IssueSeverity,
  IssueStatus,
  RequestChangeRow,
  ResultSelection,
  ResultSeverity,
  RiskFactorRow,
  RoleConditionsRow,
  RolePredicateRow,
  RunState,
  RunTarget,
  TallyTier,
  TestAttributes,
  TestOrigin,
  TicketingRow,
} from './column-types.ts'
export { withoutLimit } from './engines/without-limit.ts'
export type { PartitionedTable } from './partitions/partitioned-tables.ts'
export { keyAt, partitionedTables } from './partitions/partitioned-tables.ts'
export type { Partition } from './partitions/partitions.ts'
export {
  attachPartition,
  countRows,
  createDetached,
  detachPartition,
  listPartitions,
  lockingTables,
  makePartitions,
  moveFromDefault,
  writtenColumns,
} from './partitions/partitions.ts'
export { isRetryable, retrying } from './retrying.ts'
export type { Store, StoreAddress } from './store.ts'
export { joinStore } from './store.ts'
export type { Queryable, StoreClient } from './transaction.ts'
export { usingTransaction } from './transaction.ts'
