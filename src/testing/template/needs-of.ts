import type { YamlNode } from '../../rules/index.ts'
import { roleOfKey } from '../modifications/operations/modify-header.ts'
import { contextOf } from '../modifications/operations/replace-auth-header.ts'
import { scalarOf } from './read-nodes.ts'
import type { ExecutePlan, Need, Operation, TemplateInfo, WordListSpec } from './template.ts'

/** What each word of a condition asks of the installation. */
const CONDITION_NEEDS: ReadonlyMap<string, Exclude<Need['kind'], 'role'>> = new Map([
  ['private_variable_context', 'parameter values'],
  ['param_context', 'parameter values'],
  ['endpoint_in_traffic_context', 'inventory'],
  ['include_roles_access', 'access matrix'],
  ['exclude_roles_access', 'access matrix'],
  ['siblings_need_credentials', 'stranger matrix'],
  ['administrators_function', 'function use'],
  ['api_access_type', 'access type'],
  ['ssrf_url_hit', 'callback'],
  ['magic_validate', 'model'],
  ['not_magic_validate', 'model'],
])

/** What each operation asks of the installation. */
const OPERATION_NEEDS: ReadonlyMap<string, Exclude<Need['kind'], 'role'>> = new Map([
  ['send_ssrf_req', 'callback'],
  ['attach_file', 'files'],
  ['conversations_list', 'agent'],
])

/** Everything outside the template and the sample that a template cannot do without; each once. */
export function needsOf(
  root: YamlNode,
  info: TemplateInfo,
  wordLists: readonly WordListSpec[],
  execute: ExecutePlan,
): Need[] {
  const kinds = new Set<Exclude<Need['kind'], 'role'>>()
  const roles = new Set<string>()
  if (info.onlySmartTestingAllowed) kinds.add('agent')
  if (info.category.name === 'LLM') kinds.add('language model target')
  if (wordLists.some(({ kind }) => kind === 'samples' || kind === 'dynamic')) kinds.add('other samples')
  for (const operation of operationsOf(execute)) {
    const need = OPERATION_NEEDS.get(operation.name)
    if (need !== undefined) kinds.add(need)
    if (operation.name === 'replace_auth_header' && contextOf(operation.key) === null) kinds.add('attacker')
    const role = operation.name === 'modify_header' ? roleOfKey(String(operation.key)) : null
    if (role !== null) roles.add(role)
  }
  visitConditions(root, kinds, roles)
  return [
    ...[...kinds].map((kind) => ({ kind })),
    ...[...roles].map((role) => ({ kind: 'role', role }) as const),
  ]
}

function operationsOf(execute: ExecutePlan): Operation[] {
  return execute.steps.flatMap((step) =>
    step.operations.flatMap((entry) => (entry.kind === 'loop' ? entry.operations : [entry])),
  )
}

function visitConditions(
  node: YamlNode,
  kinds: Set<Exclude<Need['kind'], 'role'>>,
  roles: Set<string>,
): void {
  if (node.kind === 'list') for (const item of node.items) visitConditions(item, kinds, roles)
  if (node.kind !== 'map') return
  for (const { key, value } of node.entries) {
    const word = key.toLowerCase()
    const need = CONDITION_NEEDS.get(word)
    if (need !== undefined) kinds.add(need)
    if (need === 'access matrix' && value.kind === 'map') {
      const role = scalarOf(value.entries.find((entry) => entry.key === 'param')?.value)
      if (role !== null && !role.includes('${')) roles.add(role)
    }
    visitConditions(value, kinds, roles)
  }
}
