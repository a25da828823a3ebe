import type { ListedCommand } from './command.ts'

/** Every command, in the order of the help. */
export const commands: readonly ListedCommand[] = [
  {
    name: 'start',
    summary: 'Start the server and the dashboard',
    load: async () => (await import('./start.ts')).start,
  },
  {
    name: 'demo',
    summary: 'Start Vigil next to a weak application on this machine, and test it',
    load: async () => (await import('./demo.ts')).demo,
  },
  {
    name: 'doctor',
    summary: 'Check everything that Vigil needs to start',
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    name: 'config',
    summary: 'Show every setting, its value and where it came from',
    load: async () => (await import('./config.ts')).config,
  },
  {
    name: 'scan',
    summary: 'Test an API from its files, for pipelines: findings, reports, exit code',
    load: async () => (await import('./scan.ts')).scan,
  },
  {
    name: 'init',
    summary: 'Write the configuration of a scan from an API description',
    load: async () => (await import('./init.ts')).init,
  },
  {
    name: 'import',
    summary: 'Send a recording or an API description to a server',
    load: async () => (await import('./import.ts')).importFile,
  },
  {
    name: 'proxy',
    summary: 'Record what a browser or a program sends into a collection',
    load: async () => (await import('./proxy.ts')).proxy,
  },
  {
    name: 'export',
    summary: 'Write a collection of a server as OpenAPI, HAR, Postman, CSV or SARIF',
    load: async () => (await import('./export.ts')).exportCollection,
  },
  {
    name: 'report',
    summary: 'Write the reports of a test run of a server',
    load: async () => (await import('./report.ts')).report,
  },
  {
    name: 'status',
    summary: 'Show what a running server holds and does',
    load: async () => (await import('./status.ts')).status,
  },
  {
    name: 'crawler',
    summary: 'Run crawls for a server elsewhere',
    load: async () => (await import('./crawler.ts')).crawler,
  },
  {
    name: 'browser',
    summary: 'Install the browser that crawls and recorded logins use',
    load: async () => (await import('./browser.ts')).browser,
  },
  {
    name: 'evidence',
    summary: 'Save the evidence of a test result',
    load: async () => (await import('./evidence.ts')).evidence,
  },
  {
    name: 'replay',
    summary: 'Judge an evidence file again, offline',
    load: async () => (await import('./replay.ts')).replay,
  },
  {
    name: 'templates',
    summary: 'List, check, write and install security tests',
    load: async () => (await import('./templates.ts')).templates,
  },
  {
    name: 'mcp',
    summary: 'Let agents use a server (Model Context Protocol)',
    load: async () => (await import('./mcp.ts')).mcp,
  },
  {
    name: 'key',
    summary: 'Create, list and revoke API keys',
    load: async () => (await import('./key.ts')).key,
  },
  {
    name: 'user',
    summary: 'Create an account or set a password',
    load: async () => (await import('./user.ts')).user,
  },
  {
    name: 'rotate-key',
    summary: 'Replace the instance key and re-encrypt every secret',
    load: async () => (await import('./rotate-key.ts')).rotateKey,
  },
  {
    name: 'backup',
    summary: 'Back up the embedded store to one file',
    load: async () => (await import('./backup.ts')).backup,
  },
  {
    name: 'archive',
    summary: 'List and read archived rows, and restore results and requests',
    load: async () => (await import('./archive.ts')).archive,
  },
  {
    name: 'restore',
    summary: 'Restore a backup into an empty data folder',
    load: async () => (await import('./restore.ts')).restore,
  },
  {
    name: 'docs',
    summary: 'Write the documentation as static files',
    load: async () => (await import('./docs.ts')).docs,
  },
  {
    name: 'completion',
    summary: 'Print a script that completes commands in a shell',
    load: async () => (await import('./completion.ts')).completion,
  },
]
