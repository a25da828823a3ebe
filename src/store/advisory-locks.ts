import type { Queryable } from './transaction.ts'

/**
 * PostgreSQL advisory locks by what takes turns under them, across all processes on one store. The numbers are arbitrary,
 * but two features must never share one, and a server keeps its number for as long as older versions may run beside it.
 */
export const advisoryLocks = {
  /** Processes that bring the schema up to date. */
  migrations: 7_351_902,
  /** Flushes of pending counts into the tables that lists read. */
  countFlushes: 7_351_903,
  runConfigurations: 7_351_904,
  /** Commits of live traffic, from their last statement on. */
  committedMessages: 7_351_913,
  organisation: 7_351_915,
  alertChannels: 7_351_905,
  /** With the login of the person. */
  reports: 7_351_906,
  /** Users, roles and API keys. */
  access: 7_351_907,
  /** With the identifier of the crawl. */
  learnedCrawlFacts: 7_351_908,
  threatEvents: 7_351_911,
  /** With the keyed hash of the account. */
  signInAttempts: 7_351_912,
  /** Restorations from the archive, with the number of the archived partition. */
  restorations: 7_351_914,
  /** Held by each running engine, with its identity, for as long as it lives. */
  engines: 7_351,
} as const

/** Waits for a lock and keeps it to the end of the transaction; with `key`, only those of the same key wait. */
export async function lockTransaction(
  client: Queryable,
  lock: keyof typeof advisoryLocks,
  key?: string,
): Promise<void> {
  const number = advisoryLocks[lock]
  if (key === undefined) await client.query('SELECT pg_advisory_xact_lock($1)', [number])
  else await client.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [number, key])
}
