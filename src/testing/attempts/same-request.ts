import { readTree, writeTree } from './json-tree.ts'
import type { RequestDraft } from './request-draft.ts'

/**
 * Whether two drafts are the same request: method, body (as JSON where both are), headers without regard to order and
 * letter case of names, URL without regard to letter case. A draft whose method was set is never the same as another.
 */
export function sameRequest(a: RequestDraft, b: RequestDraft): boolean {
  if (a.isMethodSet || b.isMethodSet || a.method !== b.method) return false
  if (a.identity !== b.identity) return false
  if (a.files.length > 0 || b.files.length > 0) return false
  if (a.url.length !== b.url.length || a.query.length !== b.query.length) return false
  if (fullUrl(a) !== fullUrl(b)) return false
  return sameBody(a.body.text, b.body.text) && headerKey(a) === headerKey(b)
}

function fullUrl(draft: RequestDraft): string {
  return `${draft.url}?${draft.query}`.toLowerCase()
}

function sameBody(a: string, b: string): boolean {
  if (a === b) return true
  const [left, right] = [readTree(a), readTree(b)]
  return left !== undefined && right !== undefined && writeTree(left) === writeTree(right)
}

function headerKey(draft: RequestDraft): string {
  return JSON.stringify(draft.headers.map(({ name, value }) => `${name.toLowerCase()}:${value}`).sort())
}
