export { actualAuthTypesOf } from './actual-auth.ts'
export { type BodyBytes, requestBytes, responseBytes, type TextBytes } from './body-bytes.ts'
export type { CallTraits } from './call-traits.ts'
export { callerMark, callerNames } from './caller-mark.ts'
export { ExchangeView, type Target } from './exchange-view.ts'
export { type FastPaths, type MessageBody, NO_FAST_PATHS } from './fast-paths.ts'
export { keyNamesOf } from './learn-body.ts'
export { learnExchange, learnScannedHeader, type PathParameter } from './learn-exchange.ts'
export { learnLeaf, TYPE_OF_KIND } from './learn-leaf.ts'
export { maskTypes, maskUrl, maskUrlsIn, sensitiveValues } from './mask-types.ts'
export { maskedExchange, sampleText } from './sample.ts'
export { areEqual } from './type-list.ts'
export {
  isSettled,
  type LearningContext,
  learnOther,
  noteSensitive,
  SAMPLE_RARELY,
  usualFact,
} from './value-types.ts'
