import type protobuf from 'protobufjs'
import { asList, asObject, asText, own } from '../untrusted-value.ts'

const VERBS = ['get', 'put', 'post', 'delete', 'patch'] as const
const MAX_BINDINGS = 20
/** `{name}`, `{book.id}`, `{name=shelves/*}` */
const VARIABLE = /\{([\w.]{1,200})(?:=([^{}]{1,300}))?\}/g

/** One HTTP form of a method (`google.api.http`, gRPC transcoding). */
export interface HttpRule {
  readonly method: string
  /** With parameters as `{name}`. */
  readonly path: string
  /** Names of the fields that the path holds. */
  readonly inPath: readonly string[]
  /** Field that is the body, `*` for all that the path does not hold, '' for none. */
  readonly body: string
}

/** The HTTP forms that a method declares. */
export function httpRules(method: protobuf.Method): HttpRule[] {
  const parsed = asList(method.parsedOptions as unknown)
  const rules = parsed.flatMap((option) => {
    const rule = own(asObject(option), '(google.api.http)')
    const first = asObject(rule)
    const more = own(first, 'additional_bindings') ?? own(first, 'additionalBindings')
    return [first, ...(Array.isArray(more) ? more : [more]).map(asObject)]
  })
  return rules.slice(0, MAX_BINDINGS).flatMap((rule) => {
    const custom = asObject(own(rule, 'custom'))
    const verb = VERBS.find((one) => asText(own(rule, one)) !== '')
    const template = asText(verb === undefined ? own(custom, 'path') : own(rule, verb))
    const word = verb === undefined ? asText(own(custom, 'kind')) : verb.toUpperCase()
    if (template === '' || word === '' || !template.startsWith('/')) return []
    return [{ method: word, ...readTemplate(template), body: asText(own(rule, 'body')) }]
  })
}

function readTemplate(template: string): Pick<HttpRule, 'path' | 'inPath'> {
  const inPath: string[] = []
  const path = template.replace(VARIABLE, (_whole, name: string, pattern: string | undefined) => {
    inPath.push(name.split('.')[0]!)
    if (pattern === undefined) return `{${name}}`
    let count = 0
    return pattern
      .split('/')
      .map((part) =>
        part === '*' || part === '**' ? `{${count++ === 0 ? name : `${name}.${count}`}}` : part,
      )
      .join('/')
  })
  return { path, inPath }
}
