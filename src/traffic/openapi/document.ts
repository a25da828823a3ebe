import { unreadable } from '../failures.ts'
import { isJson, parseJsonOrYaml } from '../json-or-yaml.ts'
import type { OutsideObject } from '../untrusted-value.ts'
import { asObject, asText, cutText, own } from '../untrusted-value.ts'

type OpenApiVersion = '2.0' | '3.0' | '3.1'

/** A parsed API description whose outermost shape is right. */
export interface OpenApiDocument {
  readonly root: OutsideObject
  readonly version: OpenApiVersion
  readonly title: string
  readonly warnings: readonly string[]
  /** Lines of the keys down to the third level, by JSON pointer; empty for JSON. */
  readonly lines: ReadonlyMap<string, number>
}

/**
 * Parses an OpenAPI 3.x or Swagger 2 document, JSON or YAML.
 * @throws Failure INVALID_OPENAPI with the place, IMPORT_TOO_LARGE.
 */
export function parseOpenApi(text: string): OpenApiDocument {
  const { value, warnings, lines } = parseJsonOrYaml(text, 'openapi')
  const root = asObject(value)
  if (root === undefined) throw unreadable('openapi', 'the document is not an object')
  const told = [...warnings]
  const version = readVersion(root, told)
  if (asObject(own(root, 'paths')) === undefined) {
    if (version !== '3.1' || own(root, 'paths') !== undefined)
      throw unreadable('openapi', 'it has no "paths" object')
    told.push('it has no "paths"')
  }
  const title = cutText(own(asObject(own(root, 'info')), 'title'), 200)
  if (title === '') told.push('it has no title ("info.title")')
  return { root, version, title, warnings: told, lines }
}

/**
 * The document as JSON text: JSON byte for byte as given, YAML converted.
 * @throws as {@link parseOpenApi}
 */
export function openApiJsonText(text: string): string {
  const { value } = parseJsonOrYaml(text, 'openapi')
  return isJson(text) ? text : JSON.stringify(value, null, 2)
}

function readVersion(root: OutsideObject, warnings: string[]): OpenApiVersion {
  const swagger = asText(own(root, 'swagger'))
  const openapi = asText(own(root, 'openapi'))
  if (openapi === '' && (swagger === '2.0' || swagger === '2')) return '2.0'
  if (/^3\.0(?:\.|$)/.test(openapi)) return '3.0'
  if (/^3\.1(?:\.|$)/.test(openapi)) return '3.1'
  if (openapi.startsWith('3')) {
    warnings.push(`version ${openapi.slice(0, 20)} is read as 3.1`)
    return '3.1'
  }
  const given = (openapi || swagger).slice(0, 20)
  const reason =
    given === '' ? 'it names no version ("openapi" or "swagger")' : `version ${given} is not supported`
  throw unreadable('openapi', reason)
}
