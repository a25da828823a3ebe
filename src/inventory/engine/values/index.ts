export {
  type BodyBytes,
  PLAIN_JSON_LIMIT,
  requestBytes,
  responseBytes,
  type TextBytes,
} from './body-bytes.ts'
export { outcomeOf } from './call-outcome.ts'
export type { CallTraits } from './call-traits.ts'
export { type FastPaths, type MessageBody, NO_FAST_PATHS } from './fast-paths.ts'
export { learnCookies, learnScannedHeader, learnSetCookie } from './learn-header.ts'
export { learnLeaf, TYPE_OF_KIND } from './learn-leaf.ts'
export { findCards, findInText, holdsSensitive, isDialled, MIN_TEXT } from './sensitive-text.ts'
export { areEqual, NO_TYPES } from './type-list.ts'
export { typesOfValue } from './types-of-value.ts'
export {
  countEmpty,
  isSettled,
  type LearningContext,
  learnOther,
  learnValue,
  noteSensitive,
  SAMPLE_RARELY,
  usualFact,
} from './value-types.ts'
