export type { PositionExplanation, TemplateExplanation } from './explain.ts'
export type { KeySet } from './key-shape.ts'
export type { KeyedSegment } from './keyed-segment.ts'
export { KEY, keyedSegment } from './keyed-segment.ts'
export type { TrieLimits } from './limits.ts'
export { DEFAULT_LIMITS } from './limits.ts'
export type { NormalPath, NormalPathFlags } from './normalise-path.ts'
export { normalisePath } from './normalise-path.ts'
export { paramNames } from './param-names.ts'
export { splitSuffixes, suffixAt } from './path-suffix.ts'
export type {
  ObservedAnswer,
  ObservedExchange,
  PathStanding,
  Resolution,
  StandingPath,
  TemplateMove,
} from './path-trie.ts'
export { PathTrie } from './path-trie.ts'
export { routeOfExample } from './route-of-example.ts'
export type { Template, TemplateSegment } from './template.ts'
export { formatTemplate, isParamType, parseTemplate, splitPath, splitPathFor } from './template.ts'
export { TemplateTree } from './template-tree.ts'
export type { ParamType } from './token-form.ts'
export type { TrieSnapshot } from './trie-snapshot.ts'
