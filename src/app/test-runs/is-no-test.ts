import { readYaml } from '../../rules/index.ts'

/** YAML of something else: a filter of live traffic, or a file without anything that a test has. */
export function isNoTest(content: string): boolean {
  const { root } = readYaml(content)
  if (root === null || root.kind !== 'map') return false
  const keys = new Set(root.entries.map(({ key }) => key))
  if (keys.has('filter') && !keys.has('api_selection_filters')) return true
  return !keys.has('id') && !keys.has('info') && !keys.has('execute')
}
