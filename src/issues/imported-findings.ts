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
const MAX_EVIDENCE = 20

/** Keeps rules as their tool describes them now, in the caller's transaction. */
export async function keepImportedRules(
  client: Queryable,
  rules: readonly ImportedRuleRow[],
  at: number,
): Promise<void> {
  await client.query(
    `INSERT INTO imported_rules (id, tool, name, description, remediation, category, severity, cwe, cve, links,
       updated_at)
     SELECT d.id, d.tool, d.name, d.description, d.remediation, d.category, d.severity, d.cwe, d.cve, d.links, $2
     FROM jsonb_to_recordset($1::jsonb) AS d (id text, tool text, name text, description text, remediation text,
       category text, severity text, cwe text[], cve text[], links text[]) ORDER BY d.id
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, description = excluded.description,
       remediation = excluded.remediation, category = excluded.category, severity = excluded.severity,
       cwe = excluded.cwe, cve = excluded.cve, links = excluded.links, updated_at = excluded.updated_at`,
    [JSON.stringify(rules), at],
  )
}

/**
 * Keeps the newest evidence of issues, in the caller's transaction: that of an earlier import is replaced, that of the
 * same import is added to.
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
       evidence = CASE WHEN f.import_id = excluded.import_id
         THEN jsonb_path_query_array(f.evidence || excluded.evidence, '$[0 to ${MAX_EVIDENCE - 1}]')
         WHEN excluded.found_at >= f.found_at THEN excluded.evidence ELSE f.evidence END`,
    [
      JSON.stringify(entries.map((entry) => ({ ...entry, evidence: entry.evidence.slice(0, MAX_EVIDENCE) }))),
      importId,
    ],
  )
}

/** The rules behind the imported issues that the caller may see, by id. */
export async function listImportedRules(
  store: Store,
  visible: readonly number[] | null,
): Promise<ImportedRuleRow[]> {
  const { rows } = await store.pool.query<ImportedRuleRow>(
    `SELECT r.id, r.tool, r.name, r.description, r.remediation, r.category, r.severity, r.cwe, r.cve, r.links
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

/** Open issues of the same tool and collections that an import did not bring again. */
export async function countNotReported(
  store: Store,
  { importId, tool, collectionIds }: { importId: string; tool: string; collectionIds: readonly number[] },
): Promise<number> {
  const { rows } = await store.pool.query<{ count: number }>(
    `SELECT count(*) AS count FROM issues i JOIN imported_findings f ON f.issue_id = i.id
     WHERE i.status = 'OPEN' AND f.tool = $1 AND f.import_id <> $2 AND i.collection_id = ANY ($3::integer[])`,
    [tool, importId, collectionIds],
  )
  return rows[0]!.count
}
