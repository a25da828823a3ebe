import type { ListedCommand } from './command.ts'

/** Every command, in the order of the help. */
export const commands: readonly ListedCommand[] = [
  {
    name: 'start',
    summary: 'Run the server with its dashboard',
    load: async () => (await import('./start.ts')).start,
  },
  {
    name: 'doctor',
    summary: 'Look at everything a start needs',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'config',
    summary: 'Show every setting, its value and where it came from',
    load: async () => (await import('./config.ts')).config,
  },
  {
    name: 'import',
    summary: 'Send a recording or an API description to a server',
    load: async () => (await import('./import.ts')).importFile,
  },
  {
    name: 'crawler',
    summary: 'Work on crawls of a server elsewhere',
    load: async () => (await import('./crawler.ts')).crawler,
  },
  {
    name: 'evidence',
    summary: 'Save what proves a result of a test run',
    load: async () => (await import('./evidence.ts')).evidence,
  },
  {
    name: 'replay',
    summary: 'Judge a file of evidence again, offline',
    load: async () => (await import('./replay.ts')).replay,
  },
  {
    name: 'key',
    summary: 'Make, list and take back API keys',
    load: async () => (await import('./key.ts')).key,
  },
  {
    name: 'user',
    summary: 'Make an account or set a password',
    load: async () => (await import('./user.ts')).user,
  },
  {
    name: 'backup',
    summary: 'Write the embedded store to one file',
    load: async () => (await import('./backup.ts')).backup,
  },
  {
    name: 'restore',
    summary: 'Put a backup into an empty data folder',
    load: async () => (await import('./restore.ts')).restore,
  },
]
