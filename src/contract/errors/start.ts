import { errorRows } from './row.ts'

/** Errors that end a start or a command, told on standard error; none of them answers a call. */
export const startErrors = errorRows({
  BAD_COMMAND: {
    status: 500,
    message: '{reason}',
    cure: 'Run vigil --help for the commands and their flags.',
  },
  INVALID_SETTINGS: {
    status: 500,
    message: 'Invalid settings:\n{problems}',
    cure: 'Correct the named settings; the documentation of settings lists each with its form.',
  },
  BAD_SETTING_TEXT: {
    status: 500,
    message: 'Invalid setting: {reason}',
    cure: 'Correct the setting.',
  },
  CANNOT_LISTEN: {
    status: 500,
    message: 'Cannot listen on {host}:{port}: {reason}',
    cure: 'Free the port, or choose another with VIGIL_PORT.',
  },
  CANNOT_LISTEN_FOR_CALLBACKS: {
    status: 500,
    message: 'Cannot listen for call-backs on {host}:{port}: {reason}',
    cure: 'Free the port, or choose another with VIGIL_CALLBACK_PORT; 0 keeps the listener off.',
  },
  DATA_FOLDER_IN_USE: {
    status: 500,
    message: 'The data folder {folder} is in use by process {pid}',
    cure: 'Stop the other process, or choose another folder with VIGIL_DATA_DIR.',
  },
  DATA_FOLDER_GONE: {
    status: 500,
    message: 'The data folder {folder} was deleted, moved or replaced while Vigil ran; it ended',
    cure: 'Put the folder back, or restore a backup into it with vigil restore, and start again. A start without it makes an empty store.',
  },
  DATABASE_CANNOT_OPEN: {
    status: 500,
    message: 'The database cannot be opened: {reason}',
    cure: 'Check VIGIL_DATABASE_URL and the server, or the data folder of the embedded store.',
  },
  STORE_IS_NEWER: {
    status: 500,
    message: 'The store was written by a newer version (migration {migration})',
    cure: 'Start the newer version, or restore a backup made before the upgrade.',
  },
  INSTANCE_KEY_UNREADABLE: {
    status: 500,
    message: 'The instance key in {place} cannot be read',
    cure: 'Restore the key from a backup; without it stored secrets are lost.',
  },
  SEAL_BROKEN: {
    status: 500,
    message: 'A stored secret cannot be opened with the key of this installation',
    cure: 'Start with the instance key that the secret was stored with, or enter the secret anew.',
  },
  NO_EMBEDDED_STORE: {
    status: 500,
    message: 'Backups of this kind are for the embedded store only',
    cure: 'Back a PostgreSQL server up with its own tools (pg_dump).',
  },
  BACKUP_UNREADABLE: {
    status: 500,
    message: 'The file is no backup of Vigil: {reason}',
    cure: 'Name a file that "vigil backup" wrote, or a snapshot of the data folder.',
  },
  DATA_FOLDER_NOT_EMPTY: {
    status: 500,
    message: 'The data folder {folder} holds a store already',
    cure: 'Move it away first, or name another folder with VIGIL_DATA_DIR.',
  },
  SNAPSHOT_FAILED: {
    status: 500,
    message: 'The snapshot could not be written: {reason}',
    cure: 'Check the free space and the rights of the data folder.',
  },
  COUNTRY_FILE_UNREADABLE: {
    status: 500,
    message: 'The countries by address in {path} cannot be read: {reason}',
    cure: 'Name a file in the MaxMind format with VIGIL_COUNTRY_FILE, or leave the setting out.',
  },
})
