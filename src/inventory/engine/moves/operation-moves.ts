import type { Queryable } from '../../../store/index.ts'
import type { EndpointMove } from '../port.ts'
import { endpointKey } from '../state/index.ts'
import { isTemplateUrl, type Leave, type MovePlan } from './plan-moves.ts'

/** Protocols whose operations stand behind the path in the URLs of their endpoints: `/graphql/query/orders`. */
const PROTOCOLS = ['GRAPHQL', 'JSON_RPC', 'MCP', 'SOAP', 'XML_RPC']

interface OperationEndpoint {
  method: string
  url: string
  /** False for a member of a template. */
  is_shown: boolean
}

/**
 * A plan with the moves of logical operations added: the path engine knows the path that they share, and they go where it
 * goes. A path that nothing else stands behind is no endpoint, and its own move is left out. Operations that leave a
 * template get back the rows they had; calls that the template counted by itself stay with it, for which path an operation
 * was called on is not known.
 */
export async function withOperations(
  client: Queryable,
  collectionId: number,
  plan: MovePlan,
): Promise<MovePlan> {
  const { rows } = await client.query<OperationEndpoint>(
    `SELECT method, url, root_id = id AS is_shown FROM endpoints
     WHERE collection_id = $1 AND root_id <> 0 AND attributes ->> 'protocol' = ANY ($2::text[]) ORDER BY url, method`,
    [collectionId, PROTOCOLS],
  )
  if (rows.length === 0) return plan
  const planned = new Set(
    [...plan.joins, ...plan.leaves].map(({ method, from }) => endpointKey(method, from)),
  )
  const shown = rows.filter((row) => row.is_shown && !planned.has(endpointKey(row.method, row.url)))
  const joins = shown.flatMap((row) => joinOf(row, plan.joins) ?? [])
  const known = new Set(rows.map(({ method, url }) => endpointKey(method, url)))
  const leaves = shown.flatMap((row) => leaveOf(row, plan.leaves, known) ?? [])
  const isEndpoint = await endpointsAmong(client, collectionId, [...plan.joins, ...plan.leaves])
  return {
    leaves: [...plan.leaves.filter(isEndpoint), ...leaves],
    joins: [...plan.joins.filter(isEndpoint), ...joins],
  }
}

/** Tells moves of endpoints from those of paths that nothing but operations stand behind. */
async function endpointsAmong(
  client: Queryable,
  collectionId: number,
  moves: readonly { method: string; from: string }[],
): Promise<(move: { method: string; from: string }) => boolean> {
  const { rows } = await client.query<{ method: string; url: string }>(
    `SELECT e.method, e.url FROM unnest($2::text[], $3::text[]) AS d (method, url)
     JOIN endpoints e ON e.collection_id = $1 AND e.method = d.method AND e.url = d.url`,
    [collectionId, moves.map(({ method }) => method), moves.map(({ from }) => from)],
  )
  const found = new Set(rows.map(({ method, url }) => endpointKey(method, url)))
  return ({ method, from }) => found.has(endpointKey(method, from))
}

/**
 * Paths under which the path engine may know the endpoint of a URL, the likeliest first: its own, or that of a logical
 * operation without the name of the operation.
 *
 * @param path of the URL, without its origin
 */
export async function enginePaths(
  client: Queryable,
  collectionId: number,
  url: string,
  path: string,
): Promise<string[]> {
  const { rowCount } = await client.query(
    `SELECT FROM endpoints WHERE collection_id = $1 AND url = $2 AND attributes ->> 'protocol' = ANY ($3::text[])`,
    [collectionId, url, PROTOCOLS],
  )
  if (rowCount === 0) return [path]
  const paths: string[] = []
  for (let base = parentOf(path); isTemplateUrl(base); base = parentOf(base)) paths.push(base)
  return paths
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

/** The move of the path that the URL begins with; of several, that of the longest. */
function moveOf<Move extends { method: string; from: string }>(
  { method, url }: OperationEndpoint,
  moves: readonly Move[],
): Move | undefined {
  let found: Move | undefined
  for (const move of moves) {
    if (move.method !== method || !url.startsWith(`${move.from}/`)) continue
    if (found === undefined || move.from.length > found.from.length) found = move
  }
  return found
}

function joinOf(row: OperationEndpoint, joins: readonly EndpointMove[]): EndpointMove | undefined {
  const move = moveOf(row, joins)
  if (move === undefined) return undefined
  return { method: row.method, from: row.url, to: move.to + row.url.slice(move.from.length) }
}

function leaveOf(
  row: OperationEndpoint,
  leaves: readonly Leave[],
  known: ReadonlySet<string>,
): Leave | undefined {
  const leave = moveOf(row, leaves)
  if (leave === undefined) return undefined
  const suffix = row.url.slice(leave.from.length)
  const to = leave.to.map((url) => url + suffix).filter((url) => known.has(endpointKey(row.method, url)))
  return { method: row.method, from: row.url, to, isWhole: leave.isWhole }
}
