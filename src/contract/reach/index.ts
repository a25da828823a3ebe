export type { CheckedKind, IdKind } from './id-fields.ts'
export { checkedKinds, idFields, namesCollections } from './id-fields.ts'
export { reachOf } from './reach.ts'
