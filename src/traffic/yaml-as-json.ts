import { parseYaml } from './yaml-limits.ts'

/** A YAML document as JSON text; null when the text is JSON already, or cannot be read. */
export function yamlAsJson(text: string): string | null {
  const first = /\S/.exec(text)?.[0]
  if (first === '{' || first === '[') return null
  const parsed = parseYaml(text)
  return 'value' in parsed ? JSON.stringify(parsed.value) : null
}
