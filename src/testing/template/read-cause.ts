import { entryOf, type YamlNode } from '../../rules/index.ts'
import { readText, refuseOtherKeys, scalarOf } from './read-nodes.ts'
import type { Report } from './report.ts'
import { CAUSE_SCOPES, type CauseScope, type TemplateCause, type TemplateInfo } from './template.ts'

/** Weaknesses of a category are usually one mistake of the host, or one of a parameter; others are of an endpoint. */
const SCOPE_OF_CATEGORY: Readonly<Record<string, CauseScope>> = {
  CORS: 'host',
  IIM: 'host',
  MHH: 'host',
  SM: 'host',
  SVD: 'host',
  UHM: 'host',
  VEM: 'host',
  COMMAND_INJECTION: 'parameter',
  CRLF: 'parameter',
  INJ: 'parameter',
  INJECT: 'parameter',
  INPUT: 'parameter',
  LFI: 'parameter',
  SSRF: 'parameter',
  SSTI: 'parameter',
  XSS: 'parameter',
}
/** Categories of which all tests find the same mistake. */
const ONE_FAMILY: ReadonlySet<string> = new Set(['CORS', 'VEM'])
/** Categories of which every test finds its own mistake, whatever its CWE. */
const FAMILY_PER_TEST: ReadonlySet<string> = new Set(['EDE'])

/**
 * Reads `cause`: a scope, or `scope`, `family` and `within`. What is missing follows from the category: the scope by a table; the
 * family is the category, the test itself, or its first CWE, so that tests of one weakness share it.
 */
export function readCause(node: YamlNode | undefined, info: TemplateInfo, report: Report): TemplateCause {
  const category = info.category.name
  const map = node?.kind === 'map' ? node : null
  if (map !== null) refuseOtherKeys(map, 'cause', ['scope', 'family', 'within'], report)
  const scopeNode = map === null ? node : entryOf(map, 'scope')
  const scope = readScope(scopeNode, report) ?? SCOPE_OF_CATEGORY[category] ?? 'endpoint'
  const family = map === null ? '' : readText(entryOf(map, 'family'), report)
  const within = map === null ? '' : readText(entryOf(map, 'within'), report)
  return {
    scope,
    family: family === '' ? familyOf(scope, info) : family,
    within: within === '' ? null : within,
  }
}

function familyOf(scope: CauseScope, { category, cwe, subCategory }: TemplateInfo): string {
  if (ONE_FAMILY.has(category.name)) return category.name
  if (scope === 'host' || FAMILY_PER_TEST.has(category.name)) return subCategory
  return cwe[0] ?? subCategory
}

function readScope(node: YamlNode | undefined, report: Report): CauseScope | null {
  if (node === undefined) return null
  const word = scalarOf(node) ?? ''
  if ((CAUSE_SCOPES as readonly string[]).includes(word)) return word as CauseScope
  report.unknownWord(`"${word}" is none of ${CAUSE_SCOPES.join(', ')}.`, word, CAUSE_SCOPES, node.place)
  return null
}
