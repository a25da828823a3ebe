export { IngestAnswer, ObserveAnswer } from './answer.ts'
export { Batch } from './batch.ts'
export { commitBatch, settleBatch } from './commit.ts'
export { declareOperations } from './declare.ts'
export { type FindingsHook, NO_HOOK } from './findings.ts'
export { JobReader } from './job-reader.ts'
export { loadRecent } from './load-recent.ts'
export { locateEndpoints } from './locate.ts'
export {
  HashSet,
  REDELIVERY_WINDOW_SECONDS,
  RecentMessages,
} from './message-hashes.ts'
export { StageClock } from './stages.ts'
export { StoreRefusal, storeFailure } from './store-trouble.ts'
export { type Job, Turn } from './turn.ts'
