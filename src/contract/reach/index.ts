export type { CheckedKind, IdField, IdKind } from './id-fields.ts'
export { checkedKinds, idFields, idKind, namesCollections } from './id-fields.ts'
export type { Reach } from './reach.ts'
export { listedOperations, reachOf } from './reach.ts'
