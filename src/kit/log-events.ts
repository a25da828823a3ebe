import type { ErrorReport } from './error-report.ts'

/**
 * The closed list of log lines with their fields. Ids, counts, durations and codes only: never a body, a key, a
 * cookie, a header value or anything else that came from outside in clear. `error` comes from `reportError`.
 */
export interface LogEvents {
  'server.started': { address: string; store: string; startMs: number }
  'server.stopping': { signal: string }
  'server.stopped': { durationMs: number; callsCut: number }
  /** A request that never became a call: broken HTTP, headers too large, too slow. */
  'server.requestRefused': { status: number; reason: string }
  'call.answered': {
    requestId: string
    /** Name in the contract, or `unknown`. */
    operation: string
    status: number
    code: string | null
    durationMs: number
    bytesIn: number
    bytesOut: number
    via: string | null
    userId: number | null
  }
  'call.failed': { requestId: string; operation: string; error: ErrorReport }
  'login.succeeded': { userId: number }
  'login.refused': { reason: 'credentials' | 'limit' | 'provider' }
  'user.created': { userId: number; role: string; isFirst: boolean }
  'user.changed': { userId: number; byUserId: number; what: 'role' | 'collections' | 'password' }
  'user.removed': { userId: number; byUserId: number }
  'user.invited': { byUserId: number; role: string }
  'key.created': { keyId: number; userId: number; kind: string }
  'key.removed': { keyId: number; byUserId: number }
  'store.opened': { store: string; durationMs: number; migrations: readonly string[] }
  /** What the retention settings removed: tables and numbers of rows. */
  'evidence.unmasked': { userId: number; via: string; operation: string; of: string }
  /** The database notifies this process of changes by others, or does not any longer, so that it polls for them. */
  'news.heard': { pollSeconds: number }
  'news.lost': { error: ErrorReport }
  /** Lists are read from the standby, or from the primary again. */
  'replica.used': { maxLagSeconds: number }
  'replica.unused': { error: ErrorReport }
  'election.won': { office: string }
  'retention.purged': { removed: readonly string[]; durationMs: number }
  /** Files of a partition that was taken out are complete; the partition is gone. */
  'archive.written': { partition: string; rows: number; bytes: number }
  /** What keeps a role of a test run from acting; a sentence without secrets. */
  'run.problem': { runId: string; problem: string }
  /** Folders of tests of the operator's own were read anew. */
  'templates.read': { files: number; tests: number; ignored: number; problems: number; durationMs: number }
  /** A file in one of these folders cannot be used; `path` is the key, `nearest` the word that is probably meant. */
  'template.refused': { file: string; line: number; path: string; message: string; nearest: string | null }
  /** Detection goes by another set of filters. */
  'threats.filters': { filters: number }
  /** Filters in the store that cannot be used. */
  'threats.unusable': { problems: readonly string[] }
  /** A thread of detection was replaced; `message` is its place in the call, which is passed over. */
  'threats.thread': { reason: string; message: number }
  /** The built-in crawler works on a crawl. */
  'crawl.taken': { crawlId: string }
  /** It works along on a crawl that has a lease owner already. */
  'crawl.joined': { crawlId: string }
  'part.died': { part: string; error: ErrorReport }
  'snapshot.taken': { file: string; bytes: number; durationMs: number }
  'snapshot.failed': { error: ErrorReport }
  /** Did not come to its end in time when the process stopped; what it had not committed is lost, and was not acknowledged. */
  'part.cut': { part: string }
  'part.failed': { part: string; error: ErrorReport }
  'process.failed': { error: ErrorReport }
}
