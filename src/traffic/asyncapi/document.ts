import { unreadable } from '../failures.ts'
import { parseJsonOrYaml } from '../json-or-yaml.ts'
import type { OutsideObject } from '../untrusted-value.ts'
import { asObject, asText, cutText, own } from '../untrusted-value.ts'

/** A parsed AsyncAPI document whose outermost shape is right. */
export interface AsyncApiDocument {
  readonly root: OutsideObject
  readonly version: 2 | 3
  readonly title: string
  readonly warnings: readonly string[]
  readonly lines: ReadonlyMap<string, number>
}

/**
 * Parses an AsyncAPI 2 or 3 document, JSON or YAML.
 * @throws Failure INVALID_IMPORT with the place, IMPORT_TOO_LARGE
 */
export function parseAsyncApi(text: string): AsyncApiDocument {
  const { value, warnings, lines } = parseJsonOrYaml(text, 'asyncapi')
  const root = asObject(value)
  if (root === undefined) throw unreadable('asyncapi', 'the document is not an object')
  const given = asText(own(root, 'asyncapi')).slice(0, 20)
  const version = /^2\./.test(given) ? 2 : /^3\./.test(given) ? 3 : undefined
  if (version === undefined)
    throw unreadable(
      'asyncapi',
      given === '' ? 'it names no version ("asyncapi")' : `version ${given} is not supported`,
    )
  if (asObject(own(root, 'channels')) === undefined)
    throw unreadable('asyncapi', 'it has no "channels" object')
  const title = cutText(own(asObject(own(root, 'info')), 'title'), 200)
  const told = title === '' ? [...warnings, 'it has no title ("info.title")'] : warnings
  return { root, version, title, warnings: told, lines }
}
