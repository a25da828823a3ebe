import { singular } from '../../contract/parameter-names.ts'
import type { Exchange } from '../../http/index.ts'
import { percentDecoded } from '../../kit/index.ts'
import { MessageView, objectNamesOf, textOf } from '../../rules/index.ts'
import { isSelfRequest } from '../callers/index.ts'
import type { EndpointKey } from './pair-result.ts'
import type { RunMaterial } from './run-tools.ts'
import { ownSamplesOf, PERSON, segmentsOf } from './test-callers.ts'

/** Words for what a method does to an object. */
const ACTIONS: Readonly<Record<string, RegExp>> = {
  PUT: /^(?:update|edit|write|modify|change|manage)$/,
  PATCH: /^(?:update|edit|write|modify|change|manage)$/,
  POST: /^(?:create|add|write|manage)$/,
  DELETE: /^(?:delete|remove|destroy|manage)$/,
}

/** Words of a path below which stand permissions that are not granted. */
const NOT_GRANTED = /^(?:missing|denied|forbidden|revoked|required|requested|available)$/

/** A field and its text. */
interface Field {
  readonly key: string
  readonly path: string
  readonly text: string
}

/**
 * Whether the application told a role about itself that it may write such objects where the recorded request has one:
 * `{"project": "default", "permission": "UPDATE_FLAG"}` for a PUT to `/projects/default/flags/new`. Only a permission for
 * the container of the object counts, because others may mean the role's own objects.
 */
export function isGranted(
  material: RunMaterial,
  role: string,
  endpoint: EndpointKey,
  recorded: Exchange,
): boolean {
  const action = ACTIONS[endpoint.method]
  if (action === undefined) return false
  const segments = segmentsOf(recorded.request.target).map(percentDecoded)
  return ownSamplesOf(material, role, endpoint.collectionId, isSelfRequest)
    .filter(({ response }) => response.status >= 200 && response.status < 300)
    .flatMap(flatObjectsIn)
    .some((fields) => grants(fields, action, segments))
}

/** Whether one field names the action on the objects of a path, and all others what contains them there. */
function grants(fields: readonly Field[], action: RegExp, segments: readonly string[]): boolean {
  const names = segments.map((segment) => singular(segment.toLowerCase()))
  const isPermission = ({ text }: Field): boolean => {
    const words = wordsOf(text)
    const about = words.filter((word) => !action.test(word)).map(singular)
    const isOneAction = about.length === words.length - 1
    return isOneAction && about.at(-1) === names.at(-2) && about.every((word) => names.includes(word))
  }
  const isContainer = ({ key, text }: Field): boolean => {
    const name = singular(wordsOf(key.replace(/_?id$/i, '')).join(''))
    return segments.some((segment, at) => at > 0 && segment === text && names[at - 1] === name)
  }
  const others = fields.filter((field) => !isPermission(field))
  return others.length === fields.length - 1 && others.length > 0 && others.every(isContainer)
}

/** Fields of each flat object in an answer: an object below may limit what the one above says. */
function flatObjectsIn(exchange: Exchange): Field[][] {
  const fields = new MessageView(exchange).responseBody.leaves.map(({ key, path, value }) => ({
    key,
    path,
    text: textOf(value),
  }))
  const objects = Map.groupBy(fields, ({ path }) => path.slice(0, Math.max(path.lastIndexOf('.'), 0)))
  const parents = new Set([...objects.keys()].flatMap(placesAbove))
  return [...objects].flatMap(([place, own]) =>
    parents.has(place) || own.some(({ path }) => isNotGranted(path)) ? [] : [own],
  )
}

/** `user.rights[0].of[1]` → '', user, user.rights[0]. */
function placesAbove(place: string): string[] {
  const parts = place.split('.')
  return place === '' ? [] : parts.map((_, at) => parts.slice(0, at).join('.'))
}

function isNotGranted(path: string): boolean {
  return wordsOf(path).some((word) => NOT_GRANTED.test(word))
}

/** `UPDATE_FLAG`, `updateFlag`, `flags:update` → update, flag. */
function wordsOf(text: string): string[] {
  return (
    text
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  )
}

/** What wraps the caller in an answer to "who am I", and what lists where the caller is a member. */
const WRAPPER = /^(?:user|data|account|profile|me|viewer|result|session|memberships?|roles?)$/
/** Words before the name of what the caller belongs to: `active_organization`. */
const WHICH = /^(?:active|current|default)/

/**
 * Whether the application says that a role belongs to every object that a recorded request names: to the organization of
 * `/organizations/1/settings` where it answers the role's "who am I" with `active_organization: 1`. People own what is
 * theirs, so nobody belongs to a user or customer, nor to what only the query or body names.
 */
export function belongsToAll(
  material: RunMaterial,
  role: string,
  endpoint: EndpointKey,
  recorded: Exchange,
): boolean {
  const objects = objectNamesOf(endpoint.url, new MessageView(recorded))
  if (objects.length === 0) return false
  const told = new Set(
    ownSamplesOf(material, role, endpoint.collectionId, (sample) =>
      isAboutCaller(material, endpoint.collectionId, sample),
    ).flatMap(containersIn),
  )
  return objects.every(({ in: where, kind, value }) => {
    const word = singular(wordOf(kind))
    return where === 'path' && !PERSON.test(word) && told.has(`${word} ${value}`)
  })
}

/** Whether an answer is about its caller: `/profile` is, `/users/7/profile` may be about somebody else. */
function isAboutCaller({ samples }: RunMaterial, collectionId: number, sample: Exchange): boolean {
  if (!isSelfRequest(sample) || sample.response.status !== 200) return false
  const view = new MessageView(sample)
  const literal = [`/${segmentsOf(view.url).join('/')}`, view.url].find((url) =>
    samples.allOf({ collectionId, method: 'GET', url }).includes(sample),
  )
  return literal !== undefined && objectNamesOf(literal, view).length === 0
}

/** What an answer says that its caller belongs to: `organization 1`. */
function containersIn(answer: Exchange): string[] {
  return new MessageView(answer).responseBody.leaves.flatMap(({ key, path, value }) => {
    const above = path
      .split('.')
      .slice(0, -1)
      .map((name) => wordOf(name.replace(/\[\d+\]/g, '')))
    const name = /^_?id$/i.test(key) ? (above.pop() ?? '') : wordOf(key.replace(/_?id$/i, ''))
    const word = name.replace(WHICH, '')
    const isOwn = word !== '' && !WRAPPER.test(word) && above.every((one) => WRAPPER.test(one))
    return isOwn ? [`${word} ${String(value)}`] : []
  })
}

/** `organization_unit`, `organizationUnit` and `organization-unit` → organizationunit. */
function wordOf(name: string): string {
  return name.replace(/[_-]/g, '').toLowerCase()
}
