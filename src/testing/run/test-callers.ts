import type { Exchange } from '../../http/index.ts'
import { percentDecoded } from '../../kit/index.ts'
import { MessageView } from '../../rules/index.ts'
import { ATTACKER_ROLE, draftOf, outgoingRequest, type RequestDraft } from '../attempts/index.ts'
import { roleOfKey } from '../modifications/operations/modify-header.ts'
import type { Template } from '../template/index.ts'
import { ACCOUNT, isSignedIn, replaceField, signInFields, signInOf } from '../writes/sign-in.ts'
import type { EndpointKey } from './pair-result.ts'
import { sampleOfRun, sentAs, startOfRun } from './run-sessions.ts'
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
  if (template.execute.type === 'passive') {
    // What an ordinary user was answered says more than what an administrator was.
    const isLast = (sample: Exchange): boolean =>
      material.lookups.isFromAdministrator(new MessageView(sample))
    return material.samples.recordedOf(endpoint).toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))
  }
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

/**
 * The own request of a role at an endpoint, as the role sends it today: a recorded one, or the one that was made for the
 * attacker from a document; null where there is none.
 */
export function ownRequestOf(
  material: RunMaterial,
  role: string,
  endpoint: EndpointKey,
): { draft: RequestDraft; recorded: Exchange } | null {
  const { samples } = material
  const recorded =
    samples
      .allOf(endpoint)
      .find((sample) => sample.response.status < 400 && isOwnOf(material, role, endpoint, sample)) ??
    (role === ATTACKER_ROLE ? samples.ofAttacker(endpoint) : null)
  if (recorded === null) return null
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

/** Recorded requests of a role in a collection, of those that are wanted. */
export function ownSamplesOf(
  material: RunMaterial,
  role: string,
  collectionId: number,
  isWanted: (sample: Exchange) => boolean,
): Exchange[] {
  return material.samples.everyOf(collectionId).filter((sample) => {
    const { method, target } = sample.request
    return isWanted(sample) && isOwnOf(material, role, { collectionId, method, url: target }, sample)
  })
}

/** The nearest recorded list above an endpoint, as a role asks for it: neither its path nor its query names anybody else. */
export function listRequestOf(
  material: RunMaterial,
  role: string,
  endpoint: EndpointKey,
): { draft: RequestDraft; endpoint: EndpointKey } | null {
  for (let url = parentOf(endpoint.url); url !== ''; url = parentOf(url)) {
    const list = { collectionId: endpoint.collectionId, method: 'GET', url }
    const samples = material.samples.allOf(list).filter(({ response }) => response.status === 200)
    if (samples.length === 0) continue
    const draft = listDraftOf(material, role, list, samples)
    // A path with a parameter in it is the list of one user.
    return draft === null || !url.endsWith(new URL(draft.url, 'http://list.invalid').pathname)
      ? null
      : { endpoint: list, draft }
  }
  return null
}

/**
 * The list that a role is shown: its own recorded request, or that of somebody else if its query names nobody. Null
 * where only others' own lists were recorded.
 */
function listDraftOf(
  material: RunMaterial,
  role: string,
  list: EndpointKey,
  samples: readonly Exchange[],
): RequestDraft | null {
  const recorded =
    ownListOf(material, role, list, samples) ?? samples.find((sample) => !namesItsCaller(material, sample))
  return recorded === undefined ? null : requestAs(material, role, list, recorded)
}

/** A recorded list of a role: one that its query does not narrow to what is its own, where there is one. */
function ownListOf(
  material: RunMaterial,
  role: string,
  list: EndpointKey,
  samples: readonly Exchange[],
): Exchange | undefined {
  // One sample of each caller starts tests; the whole list may be among the others.
  const recorded = [...samples, ...material.samples.readsOf(list)]
  const own = recorded.filter((sample) => isOwnOf(material, role, list, sample))
  return own.find((sample) => !namesItsCaller(material, sample)) ?? own[0]
}

/**
 * A sign-in of the user who sent a request: a recorded one, or that of another user with the name of this one. Null where
 * none was recorded, or nobody knows what the user is called.
 */
export function signInOfCaller(
  { callers, samples }: RunMaterial,
  collectionId: number,
  recorded: Exchange,
): Exchange | null {
  const names = [...(callers?.valuesOf(recorded) ?? [])]
  const isSignIn = (sample: Exchange): boolean =>
    sample.request.method === 'POST' && isSignedIn(sample) && signInOf(draftOf(sample)) !== null
  const made = samples.everyOf(collectionId).flatMap((sample) => {
    const own = isSignIn(sample) ? asSignInOf(sample, names) : null
    return own === null ? [] : [own]
  })
  // A sign-up may give a credential out as well, and asks for more.
  const fields = (sample: Exchange): number => signInFields(draftOf(sample)).length
  return made.toSorted((a, b) => fields(a) - fields(b))[0] ?? null
}

/** A sign-in with the name of a user, as it is called there: by an address or by a name. It keeps nobody's secrets. */
function asSignInOf(sample: Exchange, names: readonly string[]): Exchange | null {
  const draft = draftOf(sample)
  const fields = signInFields(draft)
  const accounts = fields.filter(({ name, isSecret }) => !isSecret && ACCOUNT.test(name))
  if (!accounts.some(({ value }) => names.includes(value))) {
    const [account, ...others] = accounts
    const name = names.find((one) => one.includes('@') === account?.value.includes('@') && /\p{L}/u.test(one))
    if (account === undefined || others.length > 0 || name === undefined) return null
    replaceField(draft, account, name)
  }
  for (const field of fields) if (field.isSecret) replaceField(draft, field, '')
  const { request, response } = sample
  const { url, body } = outgoingRequest(draft)
  return {
    ...sample,
    request: { ...request, target: url, body: Buffer.from(body ?? []).toString(), bodyIsBase64: false },
    response: { ...response, headers: [], body: '' },
  }
}

/** Whether the query of a recorded request names who sent it: `?where={"employee":"ann"}`. */
function namesItsCaller({ callers }: RunMaterial, sample: Exchange): boolean {
  const query = percentDecoded(/\?([^#]*)/.exec(sample.request.target)?.[1] ?? '')
  return query !== '' && [...(callers?.valuesOf(sample) ?? [])].some((value) => hasWord(query, value))
}

function hasWord(text: string, word: string): boolean {
  return text.split(/[^\p{L}\p{N}@._-]+/u).includes(word)
}

/** An object that a recorded request names in its path before what it is about: `new` in `/projects/7/flags/new/tags`. */
interface PathObject {
  readonly id: string
  /** The segment before it: `flags`. */
  readonly name: string
  /** The path before it, without the first slash: `projects/7/flags`. */
  readonly above: string
}

/** Objects in a path, without those that are the caller itself. */
function pathObjects({ callers }: RunMaterial, endpoint: EndpointKey, recorded: Exchange): PathObject[] {
  const own = callers?.valuesOf(recorded) ?? new Set()
  return allPathObjects(endpoint, recorded).filter(({ id }) => !own.has(id))
}

function allPathObjects(endpoint: EndpointKey, recorded: Exchange): PathObject[] {
  const template = segmentsOf(endpoint.url)
  const segments = segmentsOf(recorded.request.target)
  const offset = segments.length - template.length
  return segments.flatMap((segment, at): PathObject[] => {
    const name = segments[at - 1]
    return name === undefined || segment === template[at - offset]
      ? []
      : [{ id: percentDecoded(segment), name, above: segments.slice(0, at).join('/') }]
  })
}

/** Whether a path names another object beside a name: `/tenants/9/invoices/1` is below another tenant than 7. */
function namesOther(target: string, objects: readonly PathObject[]): boolean {
  const segments = segmentsOf(target)
  return objects.some(({ id, name }) =>
    segments.some((segment, at) => at > 0 && segments[at - 1] === name && percentDecoded(segment) !== id),
  )
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
  material: RunMaterial,
  role: string,
  endpoint: EndpointKey,
  recorded: Exchange,
): NamedList[] {
  return pathObjects(material, endpoint, recorded).flatMap(({ id, name }) =>
    listsCalled(material, role, endpoint, { id, names: [name] }),
  )
}

/**
 * The recorded lists right above the objects in the path of a recorded request, as a role asks for each, and as the owner of
 * the objects does today. Lists that their query narrows are left out: `?mine=true` leaves out what everybody may read.
 */
export function listsAbove(
  material: RunMaterial,
  role: string,
  endpoint: EndpointKey,
  recorded: Exchange,
): (NamedList & { readonly ofOwner: RequestDraft })[] {
  const { callers, samples, sessions } = material
  const { collectionId } = endpoint
  const owner = callers?.ownerOf(recorded) ?? ''
  return pathObjects(material, endpoint, recorded).flatMap(({ id, above }) => {
    const key = { collectionId, method: 'GET', url: `/${above}` }
    const isOwners = (one: Exchange): boolean =>
      sessions?.roleUnderTest(key) != null || (owner !== '' && callers?.ownerOf(one) === owner)
    const list = samples
      .everyOf(collectionId)
      .find(
        (one) =>
          one.request.method === 'GET' &&
          segmentsOf(one.request.target).join('/') === above &&
          isOwners(one) &&
          isOfAll(one),
      )
    const own = list === undefined ? null : sampleOfRun(material, key, list)
    const draft = list === undefined ? null : requestAs(material, role, key, list)
    if (list === undefined || own === null || draft === null) return []
    return [{ id, draft, endpoint: key, ofOwner: startOfRun(material, key, own, list) }]
  })
}

/** Parameters of a list that do not choose what is in it: neither by what it is nor by where it stands. */
const OF_ALL = /^(?:sort|order|order_?by|direction|fields|include|expand|format|lang|locale)$/i

function isOfAll({ request: { target } }: Exchange): boolean {
  return [...new URLSearchParams(/\?([^#]*)/.exec(target)?.[1] ?? '').keys()].every((key) => OF_ALL.test(key))
}

function listsCalled(
  material: RunMaterial,
  role: string,
  { collectionId }: EndpointKey,
  { id, names }: { readonly id: string; readonly names: readonly string[] },
): NamedList[] {
  const lists = material.samples
    .everyOf(collectionId)
    .filter(
      ({ request, response }) =>
        request.method === 'GET' &&
        response.status === 200 &&
        names.includes(segmentsOf(request.target).at(-1) ?? ''),
    )
  if (lists.length === 0) return []
  const key = { collectionId, method: 'GET', url: `/${segmentsOf(lists[0]!.request.target).join('/')}` }
  const draft = listDraftOf(material, role, key, lists)
  return draft === null ? [] : [{ draft, endpoint: key, id }]
}

/** Fields that name a person: who may be seen by others keeps objects nevertheless. */
export const PERSON =
  /user|owner|account|customer|client|member|author|employee|person|people|profile|assignee|creat|patient|sender/i

/**
 * Recorded lists of what the object of a recorded request is kept in: `/projects` for a view of project 3, where views were
 * listed by `?project=3`. What an object merely mentions, such as the product of an order, keeps none.
 */
export function listsOfContainers(
  material: RunMaterial,
  role: string,
  endpoint: EndpointKey,
  recorded: Exchange,
): NamedList[] {
  const [object] = pathObjects(material, endpoint, recorded).slice(-1)
  const segments = segmentsOf(recorded.request.target)
  if (object === undefined || percentDecoded(segments.at(-1)!) !== object.id) return []
  const above = segments.slice(0, -1).join('/')
  const view = new MessageView(recorded)
  const fields = new Map(
    [...view.requestBody.leaves, ...view.responseBody.leaves].map(({ key, value }) => [key, String(value)]),
  )
  const own = material.callers?.valuesOf(recorded) ?? new Set()
  const named = new Map<string, string>()
  for (const { request, response } of material.samples.everyOf(endpoint.collectionId)) {
    if (request.method !== 'GET' || response.status !== 200) continue
    if (segmentsOf(request.target).join('/') !== above) continue
    // The list may have been recorded for another project.
    for (const key of new URLSearchParams(/\?([^#]*)/.exec(request.target)?.[1] ?? '').keys()) {
      const id = fields.get(key)
      if (id !== undefined && !PERSON.test(key) && !own.has(id)) named.set(key, id)
    }
  }
  return [...named].flatMap(([key, id]) => {
    const word = key.replace(/_?id$/i, '')
    return listsCalled(material, role, endpoint, {
      id,
      names: [word, `${word}s`, `${word}es`, word.replace(/y$/, 'ies')],
    })
  })
}

/** An object in a path and the list that it is in, as a role asks for both. */
interface ListedObject {
  readonly id: string
  readonly object: RequestDraft
  readonly list: RequestDraft
  /** For what was answered: the same object in two paths is asked once. */
  readonly endpoint: EndpointKey
  /** It is below another name than in the request, so it may be another object. */
  readonly hasOtherName: boolean
}

/**
 * Objects that a request is about a part of, such as the flag of `/flags/new/tags` or of `/events/new`, with the list above
 * each that the role was recorded reading. Objects that are the caller itself have none.
 */
export function listedObjectsOf(
  material: RunMaterial,
  role: string,
  endpoint: EndpointKey,
  recorded: Exchange,
): ListedObject[] {
  const { collectionId } = endpoint
  const everyOne = material.samples.everyOf(collectionId)
  const isRead = ({ request, response }: Exchange): boolean =>
    request.method === 'GET' && response.status === 200
  const named = allPathObjects(endpoint, recorded)
  const asListed = (id: string, sample: Exchange, hasOtherName: boolean): ListedObject[] => {
    const above = segmentsOf(sample.request.target).slice(0, -1).join('/')
    const key = { collectionId, method: 'GET', url: `/${above}` }
    // A list that the role was not recorded reading may be that of another user, such as `/users/7/orders`.
    const lists = everyOne.filter((one) => isRead(one) && segmentsOf(one.request.target).join('/') === above)
    const own = ownListOf(material, role, key, lists)
    const list = own === undefined ? null : requestAs(material, role, key, own)
    const object = requestAs(material, role, key, sample)
    return list === null || object === null ? [] : [{ id, object, list, endpoint: key, hasOtherName }]
  }
  return pathObjects(material, endpoint, recorded).flatMap(({ id, name }): ListedObject[] => {
    const reads = everyOne.filter((one) => {
      const last = segmentsOf(one.request.target).at(-1)
      const isCalledSo = isRead(one) && last !== undefined && percentDecoded(last) === id
      return isCalledSo && !namesOther(one.request.target, named)
    })
    const isNamed = ({ request }: Exchange): boolean => segmentsOf(request.target).at(-2) === name
    // What is called alike below another name is the same object, unless it is counted: the flag of `/events/new`.
    const other = COUNTED.test(id) ? undefined : reads.find((one) => !isNamed(one))
    return [reads.find(isNamed), other].flatMap((sample) =>
      sample === undefined ? [] : asListed(id, sample, sample === other),
    )
  })
}

/** Identifiers that objects of any kind may share. */
const COUNTED = /^(?:[^\p{L}]*|.{1,2})$/u

/** Segments of the path of a URL. */
export function segmentsOf(url: string): string[] {
  const path = url.replace(/[?#].*$/s, '').replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
  return path.split('/').filter((segment) => segment !== '')
}

/** The path without its last segment; '' at the top. */
function parentOf(url: string): string {
  const cut = url.lastIndexOf('/')
  return cut <= 0 || url.slice(0, cut).endsWith(':/') ? '' : url.slice(0, cut)
}

/** Whether a recorded request was sent by the person that a role acts as. */
export function isOwnOf(
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
