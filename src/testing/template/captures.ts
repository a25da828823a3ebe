import type { YamlNode } from '../../rules/index.ts'
import { itemsOf } from '../../rules/index.ts'

/** Names that the conditions of a template save by `extract` and `extractMultiple`. */
export function capturesOf(root: YamlNode): ReadonlySet<string> {
  const names = new Set<string>()
  visit(root, names)
  return names
}

function visit(node: YamlNode, names: Set<string>): void {
  if (node.kind === 'list') for (const item of node.items) visit(item, names)
  if (node.kind !== 'map') return
  for (const { key, value } of node.entries) {
    const isExtract = /^extract(?:multiple)?$/i.test(key)
    if (!isExtract) visit(value, names)
    else
      for (const item of itemsOf(value))
        if (item.kind === 'scalar' && item.value !== null) names.add(String(item.value))
  }
}
