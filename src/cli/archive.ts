import { once } from 'node:events'
import {
  type ArchivePlace,
  listArchives,
  openArchivePlace,
  readArchive,
  restoreArchive,
} from '../app/index.ts'
import { Failure } from '../kit/index.ts'
import type { Command } from './command.ts'
import { exitCodes } from './exit-codes.ts'
import { printResult } from './print-result.ts'
import { type Arguments, readArguments } from './read-arguments.ts'
import { requireStore } from './require-store.ts'
import { withAppContext } from './with-app-context.ts'
import { takeWords } from './words.ts'

const DEFAULT_DAYS = '7'
const MAX_DAYS = 3_650

/** `vigil archive`: lists what was archived, reads it, and brings it back. */
export const archive: Command = {
  help: `Usage: vigil archive list
       vigil archive read <id>
       vigil archive restore <id> [--days 7]
       list and restore take --json.

Results, requests, events of threats with their messages, and entries of the audit log that are too old are written to
the archive of VIGIL_ARCHIVE_URL: events a week at a time, the others a month. list prints one span a line, separated by
tabs: id, table, from, to, state, rows, bytes. read prints its rows as JSON, one a line, after comparing each file with
its SHA-256. restore brings results, evidence or requests back into the store for some days; its files stay. Restore
results and evidence of the same month to read both. With the embedded store, stop the server first.
`,
  async run(args) {
    const given = readArguments(args, ['days'])
    const [action, ...rest] = given.words
    if (action === 'list') await list(given, rest)
    else if (action === 'read') await read(given, rest)
    else if (action === 'restore') await restore(given, rest)
    else throw new Failure('BAD_COMMAND', { reason: 'vigil archive takes list, read or restore' })
    return exitCodes.done
  },
}

async function list(given: Arguments, words: string[]): Promise<void> {
  takeWords(words, [])
  requireStore(given.report.settings)
  const records = await withAppContext(given.report.settings, ({ store }) => listArchives(store))
  const rows = records.map(({ id, table, from, to, state, rows, bytes, location }) => ({
    ...{ id, table, from: from === 0 ? 'the beginning' : day(from), to: day(to) },
    ...{ state: state.toLowerCase(), rows, bytes, location },
  }))
  printResult(given, rows, rows.map((row) => `${Object.values(row).join('\t')}\n`).join(''))
}

async function read(given: Arguments, words: string[]): Promise<void> {
  const id = takeId(words)
  const place = placeOf(given)
  requireStore(given.report.settings)
  await withAppContext(given.report.settings, async ({ store }) => {
    for await (const lines of readArchive(store, place, id))
      if (!process.stdout.write(`${lines.join('\n')}\n`)) await once(process.stdout, 'drain')
  })
}

function takeId(words: string[]): number {
  const [id] = takeWords(words, ['id'])
  if (!/^\d{1,9}$/.test(id))
    throw new Failure('BAD_COMMAND', { reason: '<id> is the number that "archive list" shows' })
  return Number(id)
}

function placeOf(given: Arguments): ArchivePlace {
  const place = openArchivePlace(given.report.settings)
  if (place === null) throw new Failure('ARCHIVE_FAILED', { reason: 'VIGIL_ARCHIVE_URL is not set' })
  return place
}

async function restore(given: Arguments, words: string[]): Promise<void> {
  const id = takeId(words)
  const text = given.options['days'] ?? DEFAULT_DAYS
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (days < 1 || days > MAX_DAYS)
    throw new Failure('BAD_COMMAND', { reason: `--days takes 1 to ${MAX_DAYS}` })
  const place = placeOf(given)
  requireStore(given.report.settings)
  const { record, rows, until } = await withAppContext(given.report.settings, ({ store }) =>
    restoreArchive(store, place, { id, days }),
  )
  const restored = { id: record.id, table: record.table, rows, until: day(until) }
  printResult(given, restored, `${rows} rows of ${record.table} are back until ${restored.until}.\n`)
}

function day(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().slice(0, 10)
}
