/*
 * For the process that owns the store: opening and migrating it, its folder, its backups. Threads that join it load
 * `index.ts` only.
 */
export { databaseFolder, restoreBackup, writeBackup } from './backup/backup-file.ts'
export { folderHolder, lockFolder } from './engines/folder-lock.ts'
export { openStore } from './open-store.ts'
export { probeServer } from './probe-server.ts'
export { ReadReplica } from './replica/read-replica.ts'
