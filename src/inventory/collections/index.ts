export type { FoundCollection } from './find-or-create.ts'
export { checkedName, collectionForHost, createManualCollection } from './find-or-create.ts'
