import { readFileSync } from 'node:fs'
import type { PostgresPair } from '../../test/faults/schedule/postgres-pair.ts'

const TICKS_PER_SECOND = 100

/** CPU seconds of a process and of those of its children that ended (proc(5)); of one that is gone its parent tells. */
export function cpuSeconds(pid: number): number {
  const stat = statOf(pid)
  if (stat === null) return 0
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0) / TICKS_PER_SECOND
}

function statOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return null
  }
}

/** What a database did so far: CPU time and WAL of its whole server, and its statements and commits. */
export interface DatabaseFigures {
  readonly cpu: number
  readonly statements: number
  readonly commits: number
  readonly walBytes: number
}

/** Asks the server, which must have loaded pg_stat_statements. */
export async function databaseFigures(pair: PostgresPair, database: string): Promise<DatabaseFigures> {
  const [row] = await pair.query<{ statements: string; commits: string; wal: string }>(
    `SELECT (SELECT coalesce(sum(s.calls), 0) FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
               WHERE d.datname = '${database}') AS statements,
            (SELECT xact_commit FROM pg_stat_database WHERE datname = '${database}') AS commits,
            (SELECT wal_bytes FROM pg_stat_wal) AS wal`,
  )
  return {
    cpu: pair.primaryPids().reduce((sum, pid) => sum + cpuSeconds(pid), 0),
    statements: Number(row!.statements),
    commits: Number(row!.commits),
    walBytes: Number(row!.wal),
  }
}

function combined(
  a: DatabaseFigures,
  b: DatabaseFigures,
  combine: (a: number, b: number) => number,
): DatabaseFigures {
  return {
    cpu: combine(a.cpu, b.cpu),
    statements: combine(a.statements, b.statements),
    commits: combine(a.commits, b.commits),
    walBytes: combine(a.walBytes, b.walBytes),
  }
}

/** What it did between two looks. */
export function difference(before: DatabaseFigures, after: DatabaseFigures): DatabaseFigures {
  return combined(before, after, (from, to) => to - from)
}

/** What it did in each second of a span. */
export function perSecond(figures: DatabaseFigures, seconds: number): DatabaseFigures {
  return combined(figures, figures, (one) => one / seconds)
}

/** What is left of a span without what each second of it would have taken anyway. */
export function withoutIdle(
  figures: DatabaseFigures,
  idle: DatabaseFigures,
  seconds: number,
): DatabaseFigures {
  return combined(figures, idle, (one, each) => one - each * seconds)
}

/** What it did in two spans together. */
export function total(a: DatabaseFigures, b: DatabaseFigures): DatabaseFigures {
  return combined(a, b, (one, other) => one + other)
}

/** A figure in words; where what was left out as idleness is more than all of it, it says nothing. */
export function measured(figure: number, digits: number): string {
  return figure > 0 ? figure.toFixed(digits) : '(too short to tell)'
}

/** What each message cost the database, in words. */
export function databaseCost(figures: DatabaseFigures, messages: number): string {
  const each = (key: keyof DatabaseFigures): number => figures[key] / messages
  return (
    `${measured(each('cpu') * 1e6, 1)} us of CPU, ${measured(each('statements'), 3)} statements, ` +
    `${measured(each('commits'), 4)} commits and ${measured(each('walBytes'), 0)} bytes of WAL a message`
  )
}
