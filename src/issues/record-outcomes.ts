import type { IssueSeverity, IssueStatus, ResultSeverity, StoreClient } from '../store/index.ts'
import { countHits, type RuleHit, rulesFor } from './false-positives.ts'
import { fingerprintOf, type IssueKey, type IssueSource } from './fingerprint.ts'
import { type HistoryEntry, writeHistory } from './history.ts'

/** What is to be mended for a finding to go away: findings with the same cause are places of one issue. */
interface IssueCause {
  readonly scope: 'host' | 'collection' | 'endpoint' | 'parameter'
  /** Tests that find the same mistake share it. */
  readonly family: string
  /** The host, or the changed part of the request; '' where the scope is the endpoint. */
  readonly place: string
}

/** What one test, or rule of another scanner, on one endpoint came to, as far as issues care. */
export interface TestOutcome {
  /** Tells the outcomes of one call apart; of a run the id of its result, which the issue then names. */
  readonly resultId: string
  /** The execution; null when another scanner found it. */
  readonly summaryId: string | null
  readonly testId: string
  readonly category: string
  readonly collectionId: number
  readonly method: string
  readonly url: string
  readonly severity: ResultSeverity
  /** `PASSED` is a test that really ran and really found nothing; `NONE` is everything that proves neither. */
  readonly verdict: 'VULNERABLE' | 'PASSED' | 'NONE'
  /** Of a finding; null when nothing is known of it. */
  readonly cause: IssueCause | null
  /** Why there is this verdict: a sentence for people, without secrets. */
  readonly reason: string
  /** Status that the original request was answered with; null without a sample. */
  readonly baselineStatus: number | null
  /** End of the test, epoch seconds. */
  readonly at: number
}

/** What an outcome did to its issue. */
export interface IssueEffect {
  readonly resultId: string
  readonly issueId: number
  /** Status afterwards. */
  readonly status: IssueStatus
  /** Severity afterwards: a person's choice may differ from that of the result. */
  readonly severity: IssueSeverity
  readonly change: 'CREATED' | 'REOPENED' | 'FIXED' | null
}

interface Finding extends TestOutcome {
  readonly fingerprint: string
  readonly endpointId: number
}

interface LockedIssue {
  id: number
  fingerprint: string
  status: IssueStatus
  severity: IssueSeverity
  is_severity_chosen: boolean
  /** Why the last test proved nothing; null when it had a verdict. */
  unverified_reason: string | null
  /** Status of the original request when the issue was found last; null when that is no longer known. */
  found_baseline: number | null
  /** When it was fixed, epoch seconds; null when it never was. */
  fixed_at: number | null
}

/** What a test does to an issue, as it is written. */
type Written = IssueEffect & {
  readonly unverified: string | null
  /** The rule for false positives that ignores it. */
  readonly rule: RuleHit | null
}

/**
 * Brings issues up to date with what tests found, in the caller's transaction. A finding creates its issue or opens
 * it again; only a test that passed under the conditions of the finding fixes one, any other leaves it open as not
 * verified, with the reason; an ignored issue stays ignored. Rows are locked in the order of their
 * fingerprints, so two runs that report at once neither create an issue twice nor lose a change, and cannot wait for
 * each other for ever. Outcomes on endpoints that are gone are passed over, and so are findings of severity INFO.
 *
 * @param keepsOpen passing tests leave open issues open
 * @returns one entry per outcome whose issue exists afterwards
 */
export async function recordOutcomes(
  client: StoreClient,
  outcomes: readonly TestOutcome[],
  keepsOpen: boolean,
): Promise<IssueEffect[]> {
  const findings = await knownFindings(client, outcomes)
  if (findings.length === 0) return []
  const created = await createIssues(client, findings)
  const locked = await lockIssues(client, findings)
  const rules = await rulesFor(
    client,
    [...locked.values()].map(({ id }) => id),
  )
  const effects: Written[] = []
  const history: HistoryEntry[] = []
  for (const finding of findings) {
    const issue = locked.get(finding.fingerprint)
    if (issue === undefined) continue
    const found = effectOf(finding, issue, created.has(issue.id), keepsOpen)
    const effect = makesIssue(finding) ? ruled(found, rules.get(issue.id)) : found
    history.push(...eventsOf(finding, issue, effect))
    effects.push(effect)
    // A second outcome of the same pair in one batch sees what the first one did.
    locked.set(finding.fingerprint, {
      ...issue,
      status: effect.status,
      severity: effect.severity,
      unverified_reason: effect.unverified,
    })
    created.delete(issue.id)
  }
  await updateIssues(client, findings, effects)
  await keepRuled(client, effects, findings)
  await writeHistory(client, history)
  return effects.map(({ unverified: _, rule: __, ...effect }) => effect)
}

/** Outcomes with fingerprint and endpoint, in the order of their fingerprints; the endpoints cannot vanish meanwhile. */
async function knownFindings(client: StoreClient, outcomes: readonly TestOutcome[]): Promise<Finding[]> {
  const { rows } = await client.query<{ id: number; collection_id: number; method: string; url: string }>(
    `SELECT e.id, e.collection_id, e.method, e.url FROM endpoints e
     JOIN (SELECT DISTINCT * FROM unnest($1::integer[], $2::text[], $3::text[]) AS k (collection_id, method, url)) k
       ON e.collection_id = k.collection_id AND e.method = k.method AND e.url = k.url
     ORDER BY e.id FOR KEY SHARE OF e`,
    [outcomes.map((o) => o.collectionId), outcomes.map((o) => o.method), outcomes.map((o) => o.url)],
  )
  const ids = new Map(rows.map((row) => [endpointText(row.collection_id, row.method, row.url), row.id]))
  return outcomes
    .flatMap((outcome): Finding[] => {
      const endpointId = ids.get(endpointText(outcome.collectionId, outcome.method, outcome.url))
      return endpointId === undefined
        ? []
        : [{ ...outcome, endpointId, fingerprint: fingerprintOf(issueKeyOf(outcome)) }]
    })
    .sort((a, b) => (a.fingerprint < b.fingerprint ? -1 : a.fingerprint > b.fingerprint ? 1 : 0))
}

function endpointText(collectionId: number, method: string, url: string): string {
  return `${collectionId} ${method} ${url}`
}

function issueKeyOf(outcome: TestOutcome): IssueKey {
  const { testId, collectionId, method, url } = outcome
  return { testId, source: sourceOf(outcome), collectionId, method, url }
}

function sourceOf({ summaryId }: TestOutcome): IssueSource {
  return summaryId === null ? 'IMPORT' : 'AUTOMATED_TESTING'
}

/** The result that the issue names; another scanner leaves none. */
function storedResult({ resultId, summaryId }: TestOutcome): string | null {
  return summaryId === null ? null : resultId
}

function makesIssue(finding: TestOutcome): finding is TestOutcome & { severity: IssueSeverity } {
  return finding.verdict === 'VULNERABLE' && finding.severity !== 'INFO'
}

/** Inserts what is new; @returns the ids of the new issues. */
async function createIssues(client: StoreClient, findings: readonly Finding[]): Promise<Set<number>> {
  const news = findings.filter(makesIssue)
  if (news.length === 0) return new Set()
  const { rows } = await client.query<{ id: number }>(
    `INSERT INTO issues (fingerprint, test_id, category, source, collection_id, endpoint_id, method, url, severity,
       status, created_at, last_seen, last_tested, last_updated, latest_summary_id, result_id, cause_scope, cause_family,
       cause_place)
     SELECT f.fingerprint, f.test_id, f.category, f.source, f.collection_id, f.endpoint_id, f.method, f.url,
       f.severity, 'OPEN', f.at, f.at, f.at, f.at, f.summary_id, f.result_id, f.scope, f.family, f.place
     FROM unnest($1::text[], $2::text[], $3::text[], $4::integer[], $5::bigint[], $6::text[], $7::text[], $8::text[],
       $9::integer[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[]) WITH ORDINALITY
       AS f (fingerprint, test_id, category, collection_id, endpoint_id, method, url, severity, at, summary_id,
         result_id, source, scope, family, place, position)
     ORDER BY f.position
     ON CONFLICT (fingerprint) DO NOTHING RETURNING id`,
    [
      news.map((f) => f.fingerprint),
      news.map((f) => f.testId),
      news.map((f) => f.category),
      news.map((f) => f.collectionId),
      news.map((f) => f.endpointId),
      news.map((f) => f.method),
      news.map((f) => f.url),
      news.map((f) => f.severity),
      news.map((f) => f.at),
      news.map((f) => f.summaryId),
      news.map(storedResult),
      news.map(sourceOf),
      ...causeColumns(news),
    ],
  )
  return new Set(rows.map((row) => row.id))
}

/** Scopes, families and places; a finding that says nothing of its cause is an issue on its own. */
function causeColumns(findings: readonly TestOutcome[]): string[][] {
  return [
    findings.map(({ cause }) => cause?.scope ?? 'endpoint'),
    findings.map(({ cause }) => cause?.family ?? ''),
    findings.map(({ cause }) => cause?.place ?? ''),
  ]
}

async function lockIssues(
  client: StoreClient,
  findings: readonly Finding[],
): Promise<Map<string, LockedIssue>> {
  const { rows } = await client.query<LockedIssue>(
    `SELECT id, fingerprint, status, severity, is_severity_chosen, unverified_reason,
       (SELECT r.baseline_status FROM run_results r WHERE r.id = issues.result_id) AS found_baseline,
       (SELECT max(h.at) FROM issue_history h WHERE h.issue_id = issues.id AND h.kind = 'STATUS'
         AND h.to_value = 'FIXED') AS fixed_at
     FROM issues WHERE fingerprint = ANY ($1::text[]) ORDER BY fingerprint FOR NO KEY UPDATE`,
    [findings.map((f) => f.fingerprint)],
  )
  return new Map(rows.map((row) => [row.fingerprint, row]))
}

function effectOf(finding: Finding, issue: LockedIssue, isNew: boolean, keepsOpen: boolean): Written {
  const severity = makesIssue(finding) && !issue.is_severity_chosen ? finding.severity : issue.severity
  const unverified = doubtOf(finding, issue)
  const same = { resultId: finding.resultId, issueId: issue.id, severity, unverified, rule: null }
  if (isNew) return { ...same, status: 'OPEN', change: 'CREATED' }
  if (makesIssue(finding) && issue.status === 'FIXED' && !isBeforeFix(finding, issue))
    return { ...same, status: 'OPEN', change: 'REOPENED' }
  if (finding.verdict === 'PASSED' && unverified === null && issue.status === 'OPEN' && !keepsOpen) {
    return { ...same, status: 'FIXED', change: 'FIXED' }
  }
  return { ...same, status: issue.status, change: null }
}

/** A file may tell of a time before the fix. */
function isBeforeFix({ summaryId, at }: Finding, { fixed_at }: LockedIssue): boolean {
  return summaryId === null && fixed_at !== null && at <= fixed_at
}

/** A finding that a rule takes for false is ignored instead of open. */
function ruled(effect: Written, rule: RuleHit | undefined): Written {
  return rule === undefined || effect.status !== 'OPEN' ? effect : { ...effect, status: 'IGNORED', rule }
}

/** Why and by which rule issues were ignored. */
async function keepRuled(
  client: StoreClient,
  effects: readonly Written[],
  findings: readonly Finding[],
): Promise<void> {
  const hits = effects.flatMap(({ issueId, rule }) => (rule === null ? [] : [{ issueId, ...rule }]))
  if (hits.length === 0) return
  await client.query(
    `UPDATE issues i SET rule_id = h.rule, ignore_reason = 'False positive: ' || h.reason
     FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS h (id, rule, reason) WHERE i.id = h.id`,
    [hits.map(({ issueId }) => issueId), hits.map(({ ruleId }) => ruleId), hits.map(({ reason }) => reason)],
  )
  await countHits(
    client,
    hits.map(({ ruleId }) => ruleId),
    Math.max(...findings.map(({ at }) => at)),
  )
}

/**
 * Why a test leaves open whether an issue is still there; null when it shows it. A test that passed proves something only
 * when the endpoint answered its original request as it did when the issue was found.
 */
function doubtOf(finding: Finding, issue: LockedIssue): string | null {
  if (issue.status !== 'OPEN' || finding.verdict === 'VULNERABLE') return null
  if (finding.verdict === 'NONE') return finding.reason
  const [then, now] = [issue.found_baseline, finding.baselineStatus]
  if (then === null || now === null || isSameKind(then, now)) return null
  return `The original request was answered with ${now}; it was ${then} when the issue was found, so the test that passed proves nothing.`
}

function isSameKind(one: number, other: number): boolean {
  const kind = (status: number): number => (status === 304 ? 2 : Math.floor(status / 100))
  return kind(one) === kind(other)
}

function eventsOf(finding: Finding, before: LockedIssue, effect: Written): HistoryEntry[] {
  const event = {
    issueId: effect.issueId,
    actor: null,
    note: null,
    summaryId: finding.summaryId,
    resultId: storedResult(finding),
    at: finding.at,
  }
  if (effect.change === 'CREATED') {
    const made = { ...event, kind: 'CREATED', from: null, to: effect.severity } as const
    return effect.rule === null ? [made] : [made, ruledEvent(event, 'OPEN', effect.rule)]
  }
  const events: HistoryEntry[] = []
  if (effect.rule !== null) events.push(ruledEvent(event, before.status, effect.rule))
  else if (effect.change !== null) {
    events.push({ ...event, kind: 'STATUS', from: before.status, to: effect.status })
  }
  if (effect.unverified !== null && effect.unverified !== before.unverified_reason) {
    events.push({ ...event, kind: 'NOT_VERIFIED', from: null, to: null, note: effect.unverified })
  }
  if (effect.severity !== before.severity) {
    events.push({ ...event, kind: 'SEVERITY', from: before.severity, to: effect.severity })
  }
  return events
}

function ruledEvent(
  event: Omit<HistoryEntry, 'kind' | 'from' | 'to'>,
  from: IssueStatus,
  { reason }: RuleHit,
): HistoryEntry {
  return { ...event, kind: 'STATUS', from, to: 'IGNORED', note: `False positive: ${reason}` }
}

/** Writes statuses, dates and the latest result. Times only move forward: batches may arrive out of order. */
async function updateIssues(
  client: StoreClient,
  findings: readonly Finding[],
  effects: readonly Written[],
): Promise<void> {
  const byResult = new Map(findings.map((finding) => [finding.resultId, finding]))
  for (const layer of layersOf(effects)) {
    const of = layer.map((effect) => byResult.get(effect.resultId)!)
    await client.query(
      `UPDATE issues i SET
         status = d.status,
         severity = d.severity,
         unverified_reason = d.unverified,
         reopened_at = CASE WHEN d.change = 'REOPENED' THEN d.at ELSE i.reopened_at END,
         is_unread = i.is_unread OR coalesce(d.change = 'REOPENED', false),
         last_tested = greatest(i.last_tested, d.at),
         last_seen = CASE WHEN d.verdict = 'VULNERABLE' THEN greatest(i.last_seen, d.at) ELSE i.last_seen END,
         result_id = CASE WHEN d.verdict = 'VULNERABLE' THEN d.stored_result ELSE i.result_id END,
         latest_summary_id = CASE WHEN d.verdict = 'NONE' THEN i.latest_summary_id ELSE d.summary_id END,
         cause_scope = CASE WHEN d.verdict = 'VULNERABLE' THEN d.scope ELSE i.cause_scope END,
         cause_family = CASE WHEN d.verdict = 'VULNERABLE' THEN d.family ELSE i.cause_family END,
         cause_place = CASE WHEN d.verdict = 'VULNERABLE' THEN d.place ELSE i.cause_place END
       FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::integer[], $6::text[], $7::text[], $8::text[],
         $9::text[], $10::text[], $11::text[], $12::text[])
         AS d (id, status, severity, change, at, verdict, stored_result, summary_id, scope, family, place, unverified)
       WHERE i.id = d.id`,
      [
        layer.map((effect) => effect.issueId),
        layer.map((effect) => effect.status),
        layer.map((effect) => effect.severity),
        layer.map((effect) => effect.change),
        of.map((finding) => finding.at),
        of.map((finding) =>
          finding.verdict === 'VULNERABLE' && !makesIssue(finding) ? 'NONE' : finding.verdict,
        ),
        of.map(storedResult),
        of.map((finding) => finding.summaryId),
        ...causeColumns(of),
        layer.map((effect) => effect.unverified),
      ],
    )
  }
}

/** Effects in groups that hold each issue once, in order: one UPDATE would take only one of several rows for an issue. */
function layersOf(effects: readonly Written[]): Written[][] {
  const depth = new Map<number, number>()
  const layers: Written[][] = []
  for (const effect of effects) {
    const at = depth.get(effect.issueId) ?? 0
    depth.set(effect.issueId, at + 1)
    const layer = layers[at] ?? []
    layer.push(effect)
    layers[at] = layer
  }
  return layers
}
