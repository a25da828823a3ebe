import { nowSeconds } from '../kit/index.ts'
import { type Queryable, type Store, usingTransaction } from '../store/index.ts'

/** Where a rule applies. */
type RuleScope = 'ENDPOINT' | 'COLLECTION' | 'EVERYWHERE'

/** What a rule takes for false. */
interface RulePlace {
  readonly testId: string
  readonly scope: RuleScope
  readonly collectionId: number
  readonly method: string
  readonly url: string
}

/** A rule that ignores findings, because a person knows them to be false. */
interface FalsePositiveRule {
  id: number
  testId: string
  scope: RuleScope
  /** Null everywhere. */
  collectionId: number | null
  /** Null but for an endpoint. */
  method: string | null
  url: string | null
  reason: string
  createdBy: string
  createdAt: number
  updatedBy: string
  updatedAt: number
  /** Findings that it ignored. */
  hits: number
  lastHitAt: number
  /** Issues that it ignores now. */
  issues: number
}

/** Whether rule `r` applies to a row with test, collection, method and URL. */
const APPLIES = (row: string): string => `r.test_id = ${row}.test_id AND (r.scope = 'EVERYWHERE'
    OR r.collection_id = ${row}.collection_id AND (r.scope = 'COLLECTION' OR r.method = ${row}.method AND r.url = ${row}.url))`

/**
 * Whether a caller may change rule `r`: one of everywhere also hides findings of collections that the caller does not
 * see, and keeps the place it was made for.
 *
 * @param visible parameter with the caller's collections
 */
const MAY_CHANGE = (visible: string): string =>
  `(${visible}::integer[] IS NULL OR r.scope <> 'EVERYWHERE' AND r.collection_id = ANY (${visible}))`

/** The rules, newest first. @param visible collections of the caller; those of everywhere are shown to everyone */
export async function listRules(
  store: Store,
  visible: readonly number[] | null,
): Promise<FalsePositiveRule[]> {
  const { rows } = await store.pool.query<FalsePositiveRule>(
    `SELECT r.id, r.test_id AS "testId", r.scope, r.reason,
       CASE WHEN r.scope <> 'EVERYWHERE' THEN r.collection_id END AS "collectionId",
       CASE WHEN r.scope = 'ENDPOINT' THEN r.method END AS method, CASE WHEN r.scope = 'ENDPOINT' THEN r.url END AS url,
       r.created_by AS "createdBy", r.created_at AS "createdAt", r.updated_by AS "updatedBy",
       r.updated_at AS "updatedAt", r.hits, r.last_hit_at AS "lastHitAt",
       (SELECT count(*) FROM issues i WHERE i.rule_id = r.id AND i.status = 'IGNORED'
          AND ($1::integer[] IS NULL OR i.collection_id = ANY ($1))) AS issues
     FROM false_positive_rules r
     WHERE $1::integer[] IS NULL OR r.scope = 'EVERYWHERE' OR r.collection_id = ANY ($1)
     ORDER BY r.created_at DESC, r.id DESC LIMIT 1000`,
    [visible],
  )
  return rows
}

/** Makes a rule and ignores the open issues that it applies to; @returns its id. */
export async function addRule(
  store: Store,
  place: RulePlace,
  reason: string,
  actor: string,
): Promise<number> {
  return usingTransaction(store.pool, async (client) => {
    const { rows } = await client.query<{ id: number }>(
      `INSERT INTO false_positive_rules (test_id, scope, collection_id, method, url, reason, created_by, created_at,
         updated_by, updated_at)
       VALUES ($1, $2, CASE WHEN $2 <> 'EVERYWHERE' THEN $3::integer END, CASE WHEN $2 = 'ENDPOINT' THEN $4::text END,
         CASE WHEN $2 = 'ENDPOINT' THEN $5::text END, $6, $7, $8, $7, $8) RETURNING id`,
      [place.testId, place.scope, place.collectionId, place.method, place.url, reason, actor, nowSeconds()],
    )
    const id = rows[0]!.id
    await ignoreByRule(client, id, actor)
    return id
  })
}

/** Changes reason and scope of a rule; what it no longer applies to opens again. @returns whether it is there */
export async function changeRule(
  store: Store,
  id: number,
  change: { readonly reason: string; readonly scope: RuleScope; readonly visible: readonly number[] | null },
  actor: string,
): Promise<boolean> {
  return usingTransaction(store.pool, async (client) => {
    await lockIssues(client, id, change.scope)
    const { rowCount } = await client.query(
      `UPDATE false_positive_rules r SET reason = $2, updated_by = $4, updated_at = $5,
         scope = CASE WHEN r.url IS NOT NULL OR $3 <> 'ENDPOINT' AND r.collection_id IS NOT NULL THEN $3 ELSE r.scope END
       WHERE r.id = $1 AND ${MAY_CHANGE('$6')}`,
      [id, change.reason, change.scope, actor, nowSeconds(), change.visible],
    )
    if (rowCount !== 1) return false
    await openAgain(client, id, actor, 'The rule for false positives no longer applies')
    await ignoreByRule(client, id, actor)
    return true
  })
}

/** Deletes a rule and opens what it ignored; @returns whether it was there. */
export async function deleteRule(
  store: Store,
  id: number,
  visible: readonly number[] | null,
  actor: string,
): Promise<boolean> {
  return usingTransaction(store.pool, async (client) => {
    await lockIssues(client, id, null)
    const { rowCount } = await client.query(
      `DELETE FROM false_positive_rules r WHERE r.id = $1 AND ${MAY_CHANGE('$2')}`,
      [id, visible],
    )
    if (rowCount !== 1) return false
    await openAgain(client, id, actor, 'The rule for false positives was removed')
    return true
  })
}

/**
 * Locks the issues that a change of a rule can open or ignore, before the rule: runs, too, lock issues by fingerprint and
 * then the rules whose hits they count.
 *
 * @param scope what the rule will apply to; null: it only opens issues
 */
async function lockIssues(client: Queryable, id: number, scope: RuleScope | null): Promise<void> {
  await client.query(
    `SELECT count(*) FROM (
       SELECT i.id FROM issues i JOIN false_positive_rules r ON r.id = $1
       WHERE i.rule_id = $1 OR i.test_id = r.test_id AND i.status = 'OPEN'
         AND ($2::text = 'EVERYWHERE' OR $2 IS NOT NULL AND i.collection_id = r.collection_id)
       ORDER BY i.fingerprint FOR NO KEY UPDATE OF i) held`,
    [id, scope],
  )
}

async function ignoreByRule(client: Queryable, id: number, actor: string): Promise<void> {
  await client.query(
    `WITH hit AS (
       SELECT i.id, r.reason FROM issues i JOIN false_positive_rules r ON r.id = $1 AND ${APPLIES('i')}
       WHERE i.status = 'OPEN' ORDER BY i.fingerprint FOR NO KEY UPDATE OF i),
     ignored AS (
       UPDATE issues i SET status = 'IGNORED', ignore_reason = 'False positive: ' || hit.reason, rule_id = $1,
         ignored_until = 0, last_updated = $3, last_updated_by = $2
       FROM hit WHERE i.id = hit.id RETURNING i.id, i.ignore_reason),
     counted AS (
       UPDATE false_positive_rules SET hits = hits + (SELECT count(*) FROM hit),
         last_hit_at = CASE WHEN EXISTS (SELECT FROM hit) THEN $3 ELSE last_hit_at END WHERE id = $1)
     INSERT INTO issue_history (issue_id, kind, from_value, to_value, actor, note, at)
     SELECT id, 'STATUS', 'OPEN', 'IGNORED', $2, ignore_reason, $3 FROM ignored`,
    [id, actor, nowSeconds()],
  )
}

async function openAgain(client: Queryable, id: number, actor: string, note: string): Promise<void> {
  await client.query(
    `WITH due AS (
       SELECT i.id, i.ignore_reason FROM issues i
       WHERE i.rule_id = $1 AND i.status = 'IGNORED' AND NOT EXISTS (
         SELECT FROM false_positive_rules r WHERE r.id = $1 AND ${APPLIES('i')})
       ORDER BY i.fingerprint FOR NO KEY UPDATE OF i),
     opened AS (
       UPDATE issues i SET status = 'OPEN', ignore_reason = NULL, rule_id = NULL, last_updated = $3,
         last_updated_by = $2
       FROM due WHERE i.id = due.id RETURNING i.id, due.ignore_reason)
     INSERT INTO issue_history (issue_id, kind, from_value, to_value, actor, note, at, ignore_reason, rule_id)
     SELECT id, 'STATUS', 'IGNORED', 'OPEN', $2, $4, $3, ignore_reason, $1 FROM opened`,
    [id, actor, nowSeconds(), note],
  )
}

/** A rule that applies to an issue. */
export interface RuleHit {
  readonly ruleId: number
  readonly reason: string
}

/** The rules that apply to issues, by the id of the issue, the narrowest first; those of findings that were just made. */
export async function rulesFor(
  client: Queryable,
  issueIds: readonly number[],
): Promise<Map<number, RuleHit>> {
  const { rows } = await client.query<RuleHit & { issueId: number }>(
    `SELECT DISTINCT ON (i.id) i.id AS "issueId", r.id AS "ruleId", r.reason
     FROM issues i JOIN false_positive_rules r ON ${APPLIES('i')} WHERE i.id = ANY ($1::bigint[])
     ORDER BY i.id, array_position(ARRAY['ENDPOINT', 'COLLECTION', 'EVERYWHERE'], r.scope), r.id`,
    [issueIds],
  )
  return new Map(rows.map(({ issueId, ...hit }) => [issueId, hit]))
}

/** Notes that rules ignored findings, one for each entry. */
export async function countHits(client: Queryable, ruleIds: readonly number[], at: number): Promise<void> {
  await client.query(
    `WITH hit AS (
       SELECT id FROM false_positive_rules WHERE id = ANY ($1::bigint[]) ORDER BY id FOR NO KEY UPDATE)
     UPDATE false_positive_rules r SET last_hit_at = greatest(r.last_hit_at, $2),
       hits = r.hits + (SELECT count(*) FROM unnest($1::bigint[]) AS u (id) WHERE u.id = r.id)
     FROM hit WHERE r.id = hit.id`,
    [ruleIds, at],
  )
}

/** Brings rules of endpoints that became part of a path template to the template, also those that were widened since. */
export async function moveRules(client: Queryable): Promise<void> {
  await client.query(
    `WITH moved AS (
       SELECT r.id, t.collection_id, t.method, t.url FROM false_positive_rules r
         JOIN endpoints e ON e.collection_id = r.collection_id AND e.method = r.method AND e.url = r.url
         JOIN endpoints t ON t.id = e.root_id
       WHERE e.root_id <> e.id ORDER BY r.id FOR NO KEY UPDATE OF r)
     UPDATE false_positive_rules r SET collection_id = moved.collection_id, method = moved.method, url = moved.url
     FROM moved WHERE r.id = moved.id`,
  )
}
