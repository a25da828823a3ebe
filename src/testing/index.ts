export * from './attempts/index.ts'
export * from './callback/index.ts'
export * from './callers/index.ts'
export type { EvidenceFile, EvidenceResult, ReadEvidenceFile } from './evidence/evidence-file.ts'
export { MAX_EVIDENCE_FILE_BYTES, readEvidenceFile, sealEvidenceFile } from './evidence/evidence-file.ts'
export { mapTexts } from './evidence/mask-tape.ts'
export type { Replay } from './evidence/replay.ts'
export { replay } from './evidence/replay.ts'
export { keepTemplateSources, templateSources } from './evidence/template-sources.ts'
export type {
  ApplyResult,
  ArgumentKind,
  ModificationCase,
  ModificationDefinition,
} from './modifications/modification.ts'
export { MODIFICATIONS } from './modifications/registry.generated.ts'
export { cutShards, pairsOf } from './plan/cut-shards.ts'
export type { LeftOut, Plan, PlanFacts, PlannedPair } from './plan/plan.ts'
export { lackOf, lackResult, planRun } from './plan/plan.ts'
export * from './records/index.ts'
export * from './run/index.ts'
export * from './sessions/index.ts'
export * from './template/index.ts'
export type { SigningKey, SigningKeys } from './tokens/signing-keys.ts'
export { createSigningKeys, jwkSet } from './tokens/signing-keys.ts'
export { findInSamples } from './word-lists/find-in-samples.ts'
export type { SampleSource } from './word-lists/resolve-word-lists.ts'
export { provideDynamicLists, resolveWordLists } from './word-lists/resolve-word-lists.ts'
export * from './writes/index.ts'
