import type { RequestDraft } from '../attempts/index.ts'
import { type JsonTree, readTree } from '../attempts/json-tree.ts'

/** Names of fields that say what somebody may do. */
const RIGHTS =
  /^(?:(?:new|user|root|account|global|system)?_?roles?(?:_?(?:id|ids|name|names))?|permissions?|privileges?|is_?(?:admin|superuser|staff|root)|admin|superuser|grants?|scopes?|access_?level)$/i
const WRITES = new Set(['POST', 'PUT', 'PATCH'])
const MAX_DEPTH = 4

/** Whether a request that writes gives somebody rights: a field of its body or query names a role or permission. */
export function setsRights({ method, query, body }: RequestDraft): boolean {
  if (!WRITES.has(method)) return false
  const tree = readTree(body.text)
  const form = tree === undefined ? [...new URLSearchParams(body.text).keys()] : []
  const names = [...new URLSearchParams(query).keys(), ...form, ...namesIn(tree, 0)]
  return names.some((name) => RIGHTS.test(name))
}

function namesIn(tree: JsonTree | undefined, depth: number): string[] {
  if (depth > MAX_DEPTH) return []
  if (Array.isArray(tree)) return tree.flatMap((item) => namesIn(item, depth + 1))
  return tree instanceof Map ? [...tree].flatMap(([name, value]) => [name, ...namesIn(value, depth + 1)]) : []
}
