import { roleOfKey } from '../modifications/operations/modify-header.ts'
import { contextOf } from '../modifications/operations/replace-auth-header.ts'
import { callerName } from '../run/caller-name.ts'
import type { Operation, Step } from '../template/template.ts'
import { effectOf } from '../writes/write-effect.ts'
import { leafTexts } from './body-edits.ts'
import { carriedIn, credentialNames, withoutScheme } from './credentials.ts'
import type { AttemptEnvironment, CredentialParameter } from './environment.ts'
import { draftCookie, draftHeader } from './header-edits.ts'
import { outgoingRequest } from './outgoing-request.ts'
import type { RequestDraft } from './request-draft.ts'

const PLACEHOLDER = /\$\{([^{}]+)\}/g
/** Names that the engine itself gives values to. */
const OF_ENGINE = /^(?:x\d+\.|roles_access_context\.|auth_context\.|iteratorKey$|random_uuid$)/

/**
 * Why a request is not the attack that the step means, so that its answer says nothing; null when it is as meant. Its
 * caller may be without credentials, or the recorded caller itself or beside it. It may write below parents that only
 * reads may name, or a placeholder may have no value.
 *
 * @param start the request that the attempt was built from
 */
export function attemptFault(
  step: Step,
  draft: RequestDraft,
  start: RequestDraft,
  environment: AttemptEnvironment,
): string | null {
  for (const role of rolesOf(step, environment)) {
    const fault = identityFault(role, draft, start, environment)
    if (fault !== null) return fault
  }
  // What is kept below another parent may be another object, which nobody could restore.
  if (effectOf(draft) !== 'read' && operationsOf(step).some(({ name }) => name === 'use_own_parents'))
    return 'it names an object below another parent (use_own_parents), which only requests that read may do'
  const name = unresolvedIn(draft, start, step)
  return name === null ? null : `the placeholder \${${name}} has no value`
}

/** Whether two drafts lead to the same request on the wire: what is left out on sending makes no difference. */
export function isSameOnWire(
  draft: RequestDraft,
  start: RequestDraft,
  edit: (draft: RequestDraft) => RequestDraft,
): boolean {
  // A method that was set counts as a change, even to the one before.
  if (draft.isMethodSet || draft.identity !== start.identity) return false
  if (draft.files.length > 0 || start.files.length > 0) return false
  return wireForm(edit(draft)) === wireForm(edit(start))
}

function wireForm(draft: RequestDraft): string {
  const { method, url, headers, body } = outgoingRequest(draft)
  const pairs = headers.flatMap((name, at) =>
    at % 2 === 0 ? [`${name.toLowerCase()}:${headers[at + 1] ?? ''}`] : [],
  )
  return JSON.stringify([
    method,
    url,
    pairs.sort(),
    body === null ? '' : Buffer.from(body).toString('base64'),
  ])
}

/** The roles that a step acts as. */
function rolesOf(step: Step, { credentials }: AttemptEnvironment): Set<string> {
  return new Set(
    operationsOf(step).flatMap(({ name, key }) => {
      if (name === 'replace_auth_header') return contextOf(key) === null ? [credentials.attackerRole] : []
      const role = name === 'modify_header' && typeof key === 'string' ? roleOfKey(key) : null
      return role === null ? [] : [role]
    }),
  )
}

function operationsOf(step: Step): readonly Operation[] {
  return step.operations.flatMap((entry): readonly Operation[] =>
    entry.kind === 'loop' ? entry.operations : [entry],
  )
}

function identityFault(
  role: string,
  draft: RequestDraft,
  start: RequestDraft,
  environment: AttemptEnvironment,
): string | null {
  const parameters = environment.credentials.parametersOf(role)
  const who = role === environment.credentials.attackerRole ? 'the attacker' : `the role ${role}`
  if (parameters === null) return `there are no credentials for ${who}`
  const placed = parameters.filter((parameter) => carries(draft, parameter))
  const known = parameters.filter((parameter) => carries(start, parameter))
  if (known.length > 0 && placed.every((parameter) => known.includes(parameter)))
    return `the recorded request already carries the credentials of ${who}: it has no other owner to act against`
  if (placed.length === 0) return `the credentials of ${who} are not in the request`
  const [owner, other] = [nameOf(start), nameOf(draft)]
  if (owner !== null && owner === other)
    return `the credentials of ${who} are those of ${owner}, whose request was recorded`
  const left = credentialNames(environment).find(
    (name) => isLeft(name, draft, start) && !parameters.some(({ value }) => holds(draft, name, value)),
  )
  if (left !== undefined)
    return `the recorded caller's credential ${left} is still in the request beside those of ${who}`
  const before = new Set(carriedIn(start))
  return carriedIn(draft).some((text) => before.has(text))
    ? `a token of the recorded caller is still in the query or body beside the credentials of ${who}`
    : null
}

function nameOf({ headers }: RequestDraft): string | null {
  return callerName(headers.flatMap(({ name, value }) => [name, value]))
}

function carries(draft: RequestDraft, { where, key, value, identity }: CredentialParameter): boolean {
  if (where === 'BODY') return leafTexts(draft, key).includes(value)
  if (where === 'HEADER')
    return (
      holds(draft, key, value) ||
      carriedIn(draft).some((text) => withoutScheme(text) === withoutScheme(value))
    )
  const own = draft.identity
  return (
    own !== null && (own.digest === identity?.digest || own.clientCertificate === identity?.clientCertificate)
  )
}

function holds(draft: RequestDraft, name: string, value: string): boolean {
  return draftHeader(draft, name) === value || draftCookie(draft, name) === value
}

/** Whether a credential of the recorded caller is still there with its value. */
function isLeft(name: string, draft: RequestDraft, start: RequestDraft): boolean {
  const [header, cookie] = [draftHeader(start, name), draftCookie(start, name)]
  return (
    (header !== undefined && draftHeader(draft, name) === header) ||
    (cookie !== undefined && draftCookie(draft, name) === cookie)
  )
}

/** A placeholder that the template or the engine was to fill and that is in the request as it is written. */
function unresolvedIn(draft: RequestDraft, start: RequestDraft, step: Step): string | null {
  const text = wholeText(draft)
  if (!text.includes('${')) return null
  const before = wholeText(start)
  for (const [placeholder, name] of text.matchAll(PLACEHOLDER)) {
    const base = name!.replace(/\.(?:key|value)$/, '')
    const isOurs = OF_ENGINE.test(name!) || step.captures.has(base) || step.captures.has(`context_${base}`)
    if (isOurs && !before.includes(placeholder)) return name!
  }
  return null
}

function wholeText({ method, url, query, headers, body }: RequestDraft): string {
  return [method, url, query, ...headers.map(({ name, value }) => `${name}: ${value}`), body.text].join('\n')
}
