import { paramNames } from './param-names.ts'
import { suffixAt } from './path-suffix.ts'
import type { TemplateSegment } from './template.ts'
import { isVersion, strongType } from './token-form.ts'

/** A value found in the path of an example, as a parameter of its route. */
interface ExampleParameter {
  name: string
  in: 'path'
  /** As documents name types; '' when the value may be any text. */
  type: 'integer' | 'number' | ''
  format: ''
  required: true
  /** The value that stood there. */
  example: string
}

/**
 * The route of a request that somebody wrote as an example: segments that are certainly values (numbers, UUIDs,
 * hashes) become parameters, words stay, and parameters that are marked as such (`{id}`) keep their names.
 */
export function routeOfExample(path: string): { path: string; parameters: ExampleParameter[] } {
  const parts = path.split('/').slice(1)
  const at = suffixAt(parts.at(-1) ?? '')
  const suffix = at < 0 ? '' : parts.at(-1)!.slice(at)
  if (at > 0) parts.push(parts.pop()!.slice(0, at))
  const types = parts.map((part, i) =>
    isVersion(part, parts[i - 1] ?? '', i === parts.length - 1) ? null : strongType(part),
  )
  const segments = parts.map((value, i): TemplateSegment => {
    const type = types[i]
    return type ? { kind: 'param', type } : { kind: 'literal', value }
  })
  const taken = new Set(parts)
  const parameters: ExampleParameter[] = []
  const names = paramNames(segments)
  const route = parts.map((part, i) => {
    const type = types[i]
    if (!type) return part
    const name = freeName(names[i]!, taken)
    parameters.push({
      name,
      in: 'path',
      type: WORD_OF_TYPE[type] ?? '',
      format: '',
      required: true,
      example: part,
    })
    return `{${name}}`
  })
  return { path: `/${route.join('/')}${suffix}`, parameters }
}

const WORD_OF_TYPE: Readonly<Record<string, ExampleParameter['type']>> = {
  INTEGER: 'integer',
  FLOAT: 'number',
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted
  for (let i = 2; taken.has(`{${name}}`); i++) name = `${wanted}${i}`
  taken.add(`{${name}}`)
  return name
}
