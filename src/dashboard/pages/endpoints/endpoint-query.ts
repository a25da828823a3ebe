import type { RequestBodyOf } from '../../../contract/browser.ts'
import { listedStates } from '../../components/endpoint/endpoint-states.ts'
import { pageIn, useListAddress } from '../../data/list-address.ts'

/** The request of a page of endpoints. */
type EndpointQuery = RequestBodyOf<'searchEndpoints'>

/** Ages that "new" can mean, in seconds. */
export const ages: Record<string, number> = { day: 86_400, week: 604_800, month: 2_629_800 }

/** Names of the filters in the address. */
export const filterNames = [
  'q',
  'path',
  'method',
  'auth',
  'access',
  'type',
  'sensitive',
  'api',
  'new',
  'documented',
  'called',
  'quiet',
  'tested',
  'tag',
  'owner',
  'state',
] as const

/** Words of yes-or-no filters. */
const answers: Record<string, boolean> = { yes: true, no: false }

/** Stands for those without an owner in the address. */
export const NOBODY = '-'

/** Words of the filter by state; without one, ignored endpoints are left out. */
const states: Record<string, NonNullable<EndpointQuery['state']>> = {
  deactivated: ['DEACTIVATED'],
  ignored: ['IGNORED'],
  all: [...listedStates, 'IGNORED'],
}

function orNull<Value>(values: Value[]): Value[] | null {
  return values.length === 0 ? null : values
}

/** Rounded to the minute, so that the same address gives the same request for a while. */
function since(age: string): number | null {
  // A moment in epoch seconds, as the overview links to it.
  if (/^\d{1,10}$/.test(age)) return Number(age)
  const seconds = Object.hasOwn(ages, age) ? ages[age] : undefined
  return seconds === undefined ? null : Math.floor(Date.now() / 60_000) * 60 - seconds
}

/** Reads the request for a page of endpoints from the address; null collection means all. */
export function useEndpointQuery(apiCollectionId: number | null) {
  const address = useListAddress()
  const { one, several } = address
  const sort = one('sort') || '-riskScore'
  const pageSize = Math.min(Math.max(Number(one('size')) || 50, 1), 500)
  const page = pageIn(one)
  const request: EndpointQuery = {
    apiCollectionId,
    search: one('q') || null,
    pathPrefix: one('path') || null,
    method: orNull(several('method')),
    authType: orNull(several('auth')),
    accessType: orNull(several('access')) as EndpointQuery['accessType'],
    apiType: orNull(several('api')) as EndpointQuery['apiType'],
    sensitiveType: orNull(several('type')),
    sensitive: answers[one('sensitive')] ?? null,
    documented: answers[one('documented')] ?? null,
    called: answers[one('called')] ?? null,
    quietSince: since(one('quiet')),
    newSince: since(one('new')),
    tag: orNull(several('tag')),
    owner: orNull(several('owner').map((owner) => (owner === NOBODY ? '' : owner))),
    state: states[one('state')] ?? listedStates,
    testState: orNull(several('tested')) as EndpointQuery['testState'],
    sortKey: sort.replace('-', '') as EndpointQuery['sortKey'],
    sortOrder: sort.startsWith('-') ? -1 : 1,
    skip: page * pageSize,
    limit: pageSize,
  }
  const filtered = filterNames.some((name) => one(name) !== '')
  return { request, page, pageSize, filtered, address }
}
