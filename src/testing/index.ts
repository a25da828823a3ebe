export * from './attempts/index.ts'
export type {
  ApplyResult,
  ArgumentKind,
  ModificationCase,
  ModificationDefinition,
} from './modifications/modification.ts'
export * from './records/index.ts'
export * from './template/index.ts'
export type { SigningKey, SigningKeys } from './tokens/signing-keys.ts'
