export { actualAuthTypesOf } from './actual-auth.ts'
export { type BodyBytes, requestBytes, responseBytes, type TextBytes } from './body-bytes.ts'
export type { CallOutcome } from './call-outcome.ts'
export { callerMark } from './caller-mark.ts'
export { ExchangeView } from './exchange-view.ts'
export { Fact, type PendingCounts, type TouchedFacts } from './fact.ts'
export { keyNamesOf } from './learn-body.ts'
export { learnExchange } from './learn-exchange.ts'
export { learnLeaf, TYPE_OF_KIND } from './learn-leaf.ts'
export { maskTypes, maskUrl, maskUrlsIn, sensitiveValues } from './mask-types.ts'
export { maskedExchange, sampleText } from './sample.ts'
export { areEqual, type TypeList } from './type-list.ts'
export {
  isSettled,
  type LearningContext,
  learnOther,
  noteSensitive,
  SAMPLE_RARELY,
  usualFact,
} from './value-types.ts'
