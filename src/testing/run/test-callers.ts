import type { Exchange } from '../../http/index.ts'
import { ATTACKER_ROLE, draftOf, type RequestDraft } from '../attempts/index.ts'
import { roleOfKey } from '../modifications/operations/modify-header.ts'
import type { Template } from '../template/index.ts'
import type { EndpointKey } from './pair-result.ts'
import { sentAs } from './run-sessions.ts'
import type { RunMaterial } from './run-tools.ts'

/** Callers whose samples one test tries at an endpoint. */
const MAX_CALLERS = 3

/** Roles whose credentials a test puts in place of the recorded ones. */
export function actingRoles({ execute, needs }: Template): string[] {
  const named = execute.steps.flatMap(({ operations }) =>
    operations
      .flatMap((entry) => (entry.kind === 'loop' ? entry.operations : [entry]))
      .flatMap(({ name, key }) => {
        const role = name === 'modify_header' ? roleOfKey(String(key)) : null
        return role === null ? [] : [role]
      }),
  )
  const attacker = needs.some(({ kind }) => kind === 'attacker') ? [ATTACKER_ROLE] : []
  return [...new Set([...attacker, ...named])]
}

/** Whether a test asks for objects that belong to one user. */
export function isAboutObjects({ needs }: Template): boolean {
  return needs.some(({ kind }) => kind === 'parameter values')
}

/**
 * Recorded samples that a test can start from: those of callers that it does not act as, then those without
 * credentials. Where only callers that it acts as were recorded there is none, for their own request is not an attack.
 */
export function samplesForTest(
  material: RunMaterial,
  template: Template,
  endpoint: EndpointKey,
): readonly Exchange[] {
  const all = material.samples.allOf(endpoint)
  const { callers, sessions } = material
  // A role under test replaces every recorded caller.
  if (callers === undefined || sessions?.roleUnderTest(endpoint) != null) return all.slice(0, 1)
  // What administrators set is theirs to set.
  const roles = template.fields === null ? actingRoles(template) : ['ADMIN']
  if (roles.length === 0) return all.slice(0, MAX_CALLERS)
  return all
    .filter((sample) => !roles.some((role) => isOwnOf(material, role, endpoint, sample)))
    .slice(0, MAX_CALLERS)
}

/** The own recorded request of a role at an endpoint, as the role sends it today; null where none was recorded. */
export function ownRequestOf(
  material: RunMaterial,
  role: string,
  endpoint: EndpointKey,
): { draft: RequestDraft; recorded: Exchange } | null {
  const recorded = material.samples
    .allOf(endpoint)
    .find((sample) => sample.response.status < 400 && isOwnOf(material, role, endpoint, sample))
  if (recorded === undefined) return null
  const { parametersOf, authHeaderNames } = material.credentialsFor(endpoint, recorded)
  return { recorded, draft: draftOf(sentAs(recorded, parametersOf(role) ?? [], authHeaderNames)) }
}

/** A recorded request as a role sends it; null where the role has no credentials for it. */
export function requestAs(
  { credentialsFor }: RunMaterial,
  role: string,
  endpoint: EndpointKey,
  recorded: Exchange,
): RequestDraft | null {
  const { parametersOf, authHeaderNames } = credentialsFor(endpoint, recorded)
  const parameters = parametersOf(role)
  return parameters === null ? null : draftOf(sentAs(recorded, parameters, authHeaderNames))
}

/** The nearest recorded list above an endpoint, as a role asks for it: its path names nobody. */
export function listRequestOf(
  { samples, credentialsFor }: RunMaterial,
  role: string,
  endpoint: EndpointKey,
): { draft: RequestDraft; endpoint: EndpointKey } | null {
  for (let url = parentOf(endpoint.url); url !== ''; url = parentOf(url)) {
    const list = { collectionId: endpoint.collectionId, method: 'GET', url }
    const sample = samples.of(list)
    if (sample === null || sample.response.status !== 200) continue
    const { pathname } = new URL(sample.request.target, 'http://list.invalid')
    const { parametersOf, authHeaderNames } = credentialsFor(list, sample)
    const parameters = parametersOf(role)
    // A path with a parameter in it is the list of one user.
    if (parameters === null || !url.endsWith(pathname)) return null
    return { endpoint: list, draft: draftOf(sentAs(sample, parameters, authHeaderNames)) }
  }
  return null
}

/** A recorded list that is named like the objects in a path, as a role asks for it, and the identifier to look for. */
interface NamedList {
  readonly draft: RequestDraft
  readonly endpoint: EndpointKey
  readonly id: string
}

/**
 * Recorded lists named like the objects that a recorded request names in its path: for `/projects/7/flags/new/tags` one
 * that ends in `/flags`. Objects that are the caller itself have none.
 */
export function listsNamedLike(
  { samples, credentialsFor, callers }: RunMaterial,
  role: string,
  endpoint: EndpointKey,
  recorded: Exchange,
): NamedList[] {
  const own = callers?.valuesOf(recorded) ?? new Set()
  const template = segmentsOf(endpoint.url)
  const segments = segmentsOf(recorded.request.target)
  const offset = segments.length - template.length
  return segments.flatMap((id, at): NamedList[] => {
    const name = segments[at - 1]
    if (name === undefined || id === template[at - offset] || own.has(decoded(id))) return []
    const list = samples
      .ofCollection(endpoint.collectionId)
      .find(
        ({ request, response }) =>
          request.method === 'GET' && response.status === 200 && segmentsOf(request.target).at(-1) === name,
      )
    if (list === undefined) return []
    const key = {
      collectionId: endpoint.collectionId,
      method: 'GET',
      url: `/${segmentsOf(list.request.target).join('/')}`,
    }
    const { parametersOf, authHeaderNames } = credentialsFor(key, list)
    const parameters = parametersOf(role)
    if (parameters === null) return []
    return [{ draft: draftOf(sentAs(list, parameters, authHeaderNames)), endpoint: key, id: decoded(id) }]
  })
}

function segmentsOf(url: string): string[] {
  const path = url.replace(/[?#].*$/s, '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
  return path.split('/').filter((segment) => segment !== '')
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment // a lone percent sign is itself
  }
}

/** The path without its last segment; '' at the top. */
function parentOf(url: string): string {
  const cut = url.lastIndexOf('/')
  return cut <= 0 || url.slice(0, cut).endsWith(':/') ? '' : url.slice(0, cut)
}

/** Whether a recorded request was sent by the person that a role acts as. */
function isOwnOf(
  { callers, credentialsFor }: RunMaterial,
  role: string,
  endpoint: EndpointKey,
  sample: Exchange,
): boolean {
  const owner = callers?.ownerOf(sample) ?? ''
  const { parametersOf, authHeaderNames } = credentialsFor(endpoint, sample)
  const parameters = parametersOf(role)
  if (callers === undefined || owner === '' || parameters === null) return false
  return callers.ownerOf(sentAs(sample, parameters, authHeaderNames)) === owner
}
