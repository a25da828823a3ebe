export {
  deleteCollections,
  describeCollection,
  labelCollections,
  redactCollection,
  renameCollection,
  requireAllCollections,
  setCollectionFlag,
} from './change-collections.ts'
export {
  lastSeenByCollection,
  riskByCollection,
  sensitiveByCollection,
  testedByCollection,
} from './collection-figures.ts'
export { checkedName, collectionForHost, createManualCollection } from './find-or-create.ts'
export { endpointsOfConditions } from './group-conditions.ts'
export { addToGroup, createGroup, removeFromGroup, updateGroup } from './group-members.ts'
export type { CollectionView } from './list-collections.ts'
export { collectionState, findCollection, idOfCollection, listCollections } from './list-collections.ts'
export { groupsByCondition, regroup } from './regroup.ts'
