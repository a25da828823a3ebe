import type { DeclaredSecurity } from '../declared-operation.ts'
import type { OutsideObject } from '../untrusted-value.ts'
import { asList, asObject, asText, own } from '../untrusted-value.ts'
import type { References } from './references.ts'

const MAX_ALTERNATIVES = 20
const PLACES = new Set(['header', 'query', 'cookie'])

/** Reads a `security` list: alternatives, each with the schemes that are needed together. */
export function readSecurity(
  requirements: unknown,
  schemes: OutsideObject | undefined,
  references: References,
  problems: Set<string>,
): DeclaredSecurity[][] {
  return asList(requirements)
    .slice(0, MAX_ALTERNATIVES)
    .map((requirement) =>
      Object.entries(asObject(requirement) ?? {})
        .slice(0, MAX_ALTERNATIVES)
        .map(([key, scopes]) => {
          const name = asText(key)
          const { value, problem } = references.resolve(own(schemes, key))
          if (value === undefined)
            problems.add(problem ?? `the security scheme "${name.slice(0, 80)}" is not defined`)
          return readScheme(name, value, asList(scopes).map(asText))
        }),
    )
}

function readScheme(name: string, scheme: OutsideObject | undefined, scopes: string[]): DeclaredSecurity {
  switch (asText(own(scheme, 'type'))) {
    case 'apiKey': {
      const place = asText(own(scheme, 'in'))
      const where = PLACES.has(place) ? (place as 'header' | 'query' | 'cookie') : 'header'
      return { name, kind: 'apiKey', in: where, parameter: asText(own(scheme, 'name')) || name, scopes }
    }
    case 'http':
      return { name, kind: 'http', scheme: asText(own(scheme, 'scheme')).toLowerCase(), scopes }
    case 'basic':
      return { name, kind: 'http', scheme: 'basic', scopes }
    case 'oauth2':
      return { name, kind: 'oauth2', scopes }
    case 'openIdConnect':
      return { name, kind: 'openIdConnect', scopes }
    case 'mutualTLS':
      return { name, kind: 'mutualTLS', scopes }
    default:
      return { name, kind: 'unknown', scopes }
  }
}
