export type { Label } from './change-collections.ts'
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
export type { FoundCollection } from './find-or-create.ts'
export { checkedName, collectionForHost, createManualCollection } from './find-or-create.ts'
export { endpointsOfConditions } from './group-conditions.ts'
export type { EndpointKey } from './group-members.ts'
export {
  addToGroup,
  createGroup,
  refreshGroupMembers,
  removeFromGroup,
  updateGroup,
} from './group-members.ts'
export type { CollectionSelection, CollectionView } from './list-collections.ts'
export { collectionState, findCollection, idOfCollection, listCollections } from './list-collections.ts'
export { groupsByCondition, regroup } from './regroup.ts'
