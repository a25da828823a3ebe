import { compilePattern } from '../../rules/index.ts'
import type { RoleConditionsRow, RolePredicateRow } from '../../store/index.ts'
import type { EndpointKey, TestRoleView } from '../../testing/index.ts'

/** Whether an endpoint belongs to a role: both of its conditions hold, where it has them. */
export function roleReaches(
  { andConditions, orConditions }: Pick<TestRoleView, 'andConditions' | 'orConditions'>,
  endpoint: EndpointKey,
): boolean {
  return holds(andConditions, endpoint) && holds(orConditions, endpoint)
}

function holds(conditions: RoleConditionsRow | null, endpoint: EndpointKey): boolean {
  if (conditions === null || conditions.predicates.length === 0) return true
  return conditions.operator === 'AND'
    ? conditions.predicates.every((one) => fits(one, endpoint))
    : conditions.predicates.some((one) => fits(one, endpoint))
}

function fits({ type, value }: RolePredicateRow, endpoint: EndpointKey): boolean {
  if (Array.isArray(value)) {
    const isListed = value.some(
      ({ method, apiCollectionId, url }) =>
        apiCollectionId === endpoint.collectionId && url === endpoint.url && method === endpoint.method,
    )
    return type === 'NOT_BELONGS_TO' ? !isListed : isListed
  }
  const { url } = endpoint
  switch (type) {
    case 'REGEX': {
      const pattern = compilePattern(value)
      return typeof pattern !== 'string' && pattern.test(url)
    }
    case 'STARTS_WITH':
      return url.startsWith(value) || pathOf(url).startsWith(value)
    case 'ENDS_WITH':
      return url.endsWith(value)
    case 'EQUALS_TO':
      return url === value || pathOf(url) === value
    case 'CONTAINS':
      return url.includes(value)
    case 'IS_NUMBER':
      return /^\d+$/.test(url)
    default:
      return false
  }
}

/** Endpoints of a host are stored with their origin; people mean the path. */
function pathOf(url: string): string {
  return url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
}
