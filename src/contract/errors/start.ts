import { errorRows } from './row.ts'

/** Errors that end a start or a command, told on standard error; none of them answers a call. */
export const startErrors = errorRows({
  BAD_COMMAND: {
    status: 500,
    message: '{reason}',
    remedy: '"vigil <command> --help" lists what the command takes.',
  },
  INVALID_SETTINGS: {
    status: 500,
    message: 'Invalid settings:\n{problems}',
    remedy: 'Correct the named settings; docs/configuration.md lists every setting with its format.',
  },
  BAD_SETTING_TEXT: {
    status: 500,
    message: 'Invalid setting: {reason}',
    remedy: 'Correct the setting.',
  },
  CANNOT_LISTEN: {
    status: 500,
    message: 'Cannot listen on {host}:{port}: {reason}',
    remedy: 'Free the port, or choose another with VIGIL_PORT.',
  },
  CANNOT_LISTEN_FOR_CALLBACKS: {
    status: 500,
    message: 'Cannot listen for callbacks on {host}:{port}: {reason}',
    remedy: 'Free the port, or choose another with VIGIL_CALLBACK_PORT; 0 keeps the listener off.',
  },
  STREAM_CLIENT_MISSING: {
    status: 500,
    message: 'The client of the broker in VIGIL_STREAM_URL is not installed',
    remedy: 'Install it beside Vigil: npm install {packages} (with -g if Vigil was installed so).',
  },
  TELEMETRY_UNUSABLE: {
    status: 500,
    message: 'Traces and metrics cannot be exported: {reason}',
    remedy:
      'Correct the variable, or unset the OTEL_EXPORTER_OTLP_… variables to export nothing. Collectors take OTLP over HTTP on port 4318.',
  },
  ROLES_NEED_DATABASE: {
    status: 500,
    message: 'A process on the embedded store has every role, but VIGIL_ROLES leaves out {absent}',
    remedy:
      'Remove VIGIL_ROLES, or set VIGIL_DATABASE_URL and start other processes with the roles that are missing.',
  },
  DATA_FOLDER_IN_USE: {
    status: 500,
    message: 'The data folder {folder} is in use by process {pid}',
    remedy: 'Stop the other process, or choose another folder with VIGIL_DATA_DIR.',
  },
  DATA_FOLDER_UNUSABLE: {
    status: 500,
    message: 'The data folder {folder} cannot be used: {reason}',
    remedy: 'Make the folder writable for the user that runs Vigil, or choose another with VIGIL_DATA_DIR.',
  },
  DATA_FOLDER_FOREIGN: {
    status: 500,
    message: 'The folder {folder} is not a Vigil data folder: it contains {names}',
    remedy: 'Choose an empty folder, or the data folder of an earlier start, with VIGIL_DATA_DIR.',
  },
  DATA_FOLDER_OPEN: {
    status: 500,
    message: 'Other users of this machine can write to {folder} (mode {mode})',
    remedy: 'Check that no one changed its files, then restrict access: chmod -R go-rwx on the folder.',
  },
  DATA_FOLDER_GONE: {
    status: 500,
    message: 'The data folder {folder} was deleted, moved or replaced while Vigil was running; Vigil stopped',
    remedy:
      'Put the folder back, or restore a backup into it with vigil restore, and start again. A start without it makes an empty store.',
  },
  DATABASE_CANNOT_OPEN: {
    status: 500,
    message: 'The database cannot be opened: {reason}',
    remedy: 'Check VIGIL_DATABASE_URL and the server, or the data folder of the embedded store.',
  },
  STORE_IS_NEWER: {
    status: 500,
    message: 'The store was written by a newer version (migration {migration})',
    remedy: 'Start the newer version, or restore a backup made before the upgrade.',
  },
  INSTANCE_KEY_LOST: {
    status: 500,
    message: 'The instance key {place} is missing, but the store was sealed with it',
    remedy:
      'Put the file back from a backup (vigil backup keeps it), or set VIGIL_SECRET_KEY to the key. A new key could not open the secrets in the store.',
  },
  INSTANCE_KEY_WRONG: {
    status: 500,
    message: 'The instance key does not match the store: its secrets were sealed with another key',
    remedy:
      'Set VIGIL_SECRET_KEY to the key that the store was used with, or put the file instance.key back from a backup.',
  },
  INSTANCE_KEY_UNREADABLE: {
    status: 500,
    message: 'The instance key in {place} cannot be read',
    remedy: 'Restore the key from a backup; without it stored secrets are lost.',
  },
  SEAL_BROKEN: {
    status: 500,
    message: 'A stored secret cannot be opened with the key of this installation',
    remedy: 'Start with the instance key that the secret was stored with, or enter the secret again.',
  },
  NO_EMBEDDED_STORE: {
    status: 500,
    message: 'This kind of backup is available only for the embedded store',
    remedy: 'Back up a PostgreSQL server with its own tools (pg_dump).',
  },
  BACKUP_UNREADABLE: {
    status: 500,
    message: 'The file is not a Vigil backup: {reason}',
    remedy: 'Name a file that "vigil backup" wrote, or a snapshot of the data folder.',
  },
  DATA_FOLDER_NOT_EMPTY: {
    status: 500,
    message: 'The data folder {folder} already contains a store',
    remedy: 'Move it away first, or name another folder with VIGIL_DATA_DIR.',
  },
  SNAPSHOT_FAILED: {
    status: 500,
    message: 'The snapshot could not be written: {reason}',
    remedy: 'Check the free space and the permissions of the data folder.',
  },
  ARCHIVE_FAILED: {
    status: 500,
    message: 'The archive could not be written or read: {reason}',
    remedy:
      'Check VIGIL_ARCHIVE_URL, its credentials and the space there. A partition is not dropped before its files were read back.',
  },
  NO_SUCH_ARCHIVE: {
    status: 500,
    message: 'There is no such archived partition',
    remedy: 'Name an id that "vigil archive list" shows as archived.',
  },
  ARCHIVE_IN_USE: {
    status: 500,
    message: 'The table {table} is in use by a long query',
    remedy: 'Try again when it has ended.',
  },
  COUNTRY_FILE_UNREADABLE: {
    status: 500,
    message: 'The country database {path} cannot be read: {reason}',
    remedy: 'Set VIGIL_COUNTRY_FILE to a file in MaxMind format, or remove the setting.',
  },
})
