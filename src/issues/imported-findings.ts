import type { IssueSeverity, Queryable, Store } from '../store/index.ts'

/** A rule of another scanner. */
interface ImportedRuleRow {
  id: string
  tool: string
  name: string
  description: string
  remediation: string
  category: string
  severity: IssueSeverity
  cwe: readonly string[]
  cve: readonly string[]
  links: readonly string[]
}

/** What another scanner showed at one place, masked. */
export interface ImportedEvidence {
  part: string
  explanation: string
  /** A sample message; null when the file had none. */
  message: string | null
}

/** The newest evidence of an imported issue. */
interface ImportedFindingView {
  tool: string
  importId: string
  foundAt: number
  evidence: ImportedEvidence[]
}

/** Places of one issue that are kept. */
export const MAX_EVIDENCE = 20

/**
 * Keeps rules as their tool describes them now, in the caller's transaction.
 *
 * @param mayReword false: rules that are known already stay as they are, because other collections show them too
 */
export async function keepImportedRules(
  client: Queryable,
  rules: readonly ImportedRuleRow[],
  { at, mayReword }: { readonly at: number; readonly mayReword: boolean },
): Promise<void> {
  await client.query(
    `INSERT INTO imported_rules (id, tool, name, description, remediation, category, severity, cwe, cve, links,
       updated_at)
     SELECT d.id, d.tool, d.name, d.description, d.remediation, d.category, d.severity, d.cwe, d.cve, d.links, $2
     FROM jsonb_to_recordset($1::jsonb) AS d (id text, tool text, name text, description text, remediation text,
       category text, severity text, cwe text[], cve text[], links text[]) ORDER BY d.id
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, description = excluded.description,
       remediation = excluded.remediation, category = excluded.category, severity = excluded.severity,
       cwe = excluded.cwe, cve = excluded.cve, links = excluded.links, updated_at = excluded.updated_at WHERE $3`,
    [JSON.stringify(rules), at, mayReword],
  )
}

/** SQL for the places of a list that are kept. */
function firstPlaces(list: string): string {
  return `jsonb_path_query_array(${list}, '$[0 to ${MAX_EVIDENCE - 1}]')`
}

/**
 * Keeps the newest evidence of issues, in the caller's transaction: older evidence of another import is replaced, that
 * of the same import is added to.
 */
export async function keepImportedEvidence(
  client: Queryable,
  importId: string,
  entries: readonly {
    issueId: number
    tool: string
    foundAt: number
    evidence: readonly ImportedEvidence[]
  }[],
): Promise<void> {
  await client.query(
    `INSERT INTO imported_findings AS f (issue_id, import_id, tool, found_at, evidence)
     SELECT d."issueId", $2, d.tool, d."foundAt", d.evidence
     FROM jsonb_to_recordset($1::jsonb) AS d ("issueId" bigint, tool text, "foundAt" integer, evidence jsonb)
     ORDER BY d."issueId"
     ON CONFLICT (issue_id) DO UPDATE SET import_id = excluded.import_id,
       found_at = greatest(f.found_at, excluded.found_at),
       evidence = CASE WHEN f.import_id = excluded.import_id THEN ${firstPlaces('f.evidence || excluded.evidence')}
         ELSE excluded.evidence END
     WHERE f.import_id = excluded.import_id
       OR (excluded.found_at >= f.found_at AND excluded.evidence <> '[]'::jsonb)`,
    [
      JSON.stringify(entries.map((entry) => ({ ...entry, evidence: entry.evidence.slice(0, MAX_EVIDENCE) }))),
      importId,
    ],
  )
}

/** Brings the evidence of an issue to the one that it becomes part of, in the caller's transaction: the newer first. */
export async function mergeImportedFinding(client: Queryable, from: number, to: number): Promise<void> {
  await client.query(
    `INSERT INTO imported_findings AS f (issue_id, import_id, tool, found_at, evidence)
     SELECT $2, import_id, tool, found_at, evidence FROM imported_findings WHERE issue_id = $1
     ON CONFLICT (issue_id) DO UPDATE SET found_at = greatest(f.found_at, excluded.found_at),
       import_id = CASE WHEN excluded.found_at > f.found_at THEN excluded.import_id ELSE f.import_id END,
       evidence = CASE WHEN excluded.found_at > f.found_at THEN ${firstPlaces('excluded.evidence || f.evidence')}
         ELSE ${firstPlaces('f.evidence || excluded.evidence')} END`,
    [from, to],
  )
}

/** Longest description and remediation, and most links, in the list of rules. */
const LISTED_TEXT = 2_000
const LISTED_LINKS = 10

/** SQL for a text as the list of rules has it. */
function listedText(column: string): string {
  return `CASE WHEN length(${column}) > ${LISTED_TEXT} THEN left(${column}, ${LISTED_TEXT - 1}) || '…' ELSE ${column} END`
}

/** The rules behind the imported issues that the caller may see, by id; their texts are cut. */
export async function listImportedRules(
  store: Store,
  visible: readonly number[] | null,
): Promise<ImportedRuleRow[]> {
  const { rows } = await store.pool.query<ImportedRuleRow>(
    `SELECT r.id, r.tool, r.name, ${listedText('r.description')} AS description,
       ${listedText('r.remediation')} AS remediation, r.category, r.severity, r.cwe, r.cve,
       r.links[1:${LISTED_LINKS}] AS links
     FROM imported_rules r WHERE r.id IN (SELECT i.test_id FROM issues i
       WHERE i.source = 'IMPORT' AND ($1::integer[] IS NULL OR i.collection_id = ANY ($1)))
     ORDER BY r.id LIMIT 5000`,
    [visible],
  )
  return rows
}

/** The newest evidence of an issue; undefined when another scanner has not reported it. */
export async function readImportedFinding(
  store: Store,
  issueId: number,
): Promise<ImportedFindingView | undefined> {
  const { rows } = await store.pool.query<ImportedFindingView>(
    `SELECT tool, import_id AS "importId", found_at AS "foundAt", evidence FROM imported_findings WHERE issue_id = $1`,
    [issueId],
  )
  return rows[0]
}

/**
 * Open issues of the same tool and collections that an import did not bring again.
 *
 * @param but the issues that it brought
 */
export async function countNotReported(
  store: Store,
  { but, tool, collectionIds }: { but: readonly number[]; tool: string; collectionIds: readonly number[] },
): Promise<number> {
  const { rows } = await store.pool.query<{ count: number }>(
    `SELECT count(*) AS count FROM issues i JOIN imported_findings f ON f.issue_id = i.id
     WHERE i.status = 'OPEN' AND f.tool = $1 AND i.id <> ALL ($2::bigint[]) AND i.collection_id = ANY ($3::integer[])`,
    [tool, but, collectionIds],
  )
  return rows[0]!.count
}
