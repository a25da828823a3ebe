export type { PendingWrite, WriteKeeper } from './pending-write.ts'
export { undoWrite } from './undo-write.ts'
export type { WriteLevel } from './write-guard.ts'
export { RunWrites } from './write-guard.ts'
