import { templateWords } from '../../contract/vocabulary.ts'
import { Failure } from '../../kit/index.ts'
import type { Condition } from '../../rules/index.ts'
import { type RequestDraft, sameRequest } from '../attempts/index.ts'
import type { Operation, Step } from '../template/index.ts'
import { bareDraft } from '../writes/undo-write.ts'
import { type JudgedAttempt, judge, type Trial } from './judge.ts'
import type { ControlKind, ControlRecord } from './pair-result.ts'
import { readStored } from './stored-state.ts'
import { asStranger } from './strangers.ts'

/** Operations that change who is asking; the unchanged sample would validate as well, so it proves nothing. */
const REMOVES_IDENTITY = new Set(['remove_auth_header', 'invalidate_auth_header'])
const CHANGES_IDENTITY = new Set(['replace_auth_header'])
/** Controls that are the attempt with another request. */
type SentControl = Exclude<ControlKind, 'callback' | 'list' | 'use' | 'invented'>
/** Methods that only read (RFC 9110 section 9.2.1). */
const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Segments of a path template that are parameters. */
const PARAMETER_WORDS: ReadonlySet<string> = new Set(templateWords)
const ROLE_REFERENCE = /^\$\{roles_access_context\./

/**
 * The control that a positive of a step needs.
 * @param start the request that the attempts were built from
 */
function controlKindOf(step: Step, attempt: RequestDraft, start: RequestDraft): SentControl {
  if (removesIdentity(step)) return 'elsewhere'
  const operations = operationsOf(step)
  const names = operations.map((operation) => operation.name)
  const takesRole = operations.some(({ key }) => typeof key === 'string' && ROLE_REFERENCE.test(key))
  if (takesRole || names.some((name) => CHANGES_IDENTITY.has(name))) return 'stranger'
  return sameRequest(attempt, start) ? 'again' : 'unchanged'
}

/** Whether a step takes the credentials out of the request. */
export function removesIdentity(step: Step): boolean {
  return operationsOf(step).some(({ name }) => REMOVES_IDENTITY.has(name))
}

/** Whether a step asks what strangers are answered. */
export function opensToEverybody(step: Step): boolean {
  return operationsOf(step).some(({ name }) => name === 'remove_auth_header')
}

/** Whether a step sends credentials that nobody has. */
export function sendsInvalidCredentials(step: Step): boolean {
  return operationsOf(step).some(({ name }) => name === 'invalidate_auth_header')
}

function operationsOf(step: Step): Operation[] {
  return step.operations.flatMap((entry): readonly Operation[] =>
    entry.kind === 'loop' ? entry.operations : [entry],
  )
}

/**
 * Sends the control of a positive and says whether it confirms.
 * @param wanted instead of what the operations of the step demand
 */
export async function confirm(
  trial: Trial,
  step: Step,
  positive: JudgedAttempt,
  condition: Condition,
  wanted?: SentControl,
): Promise<ControlRecord> {
  const kind = wanted ?? controlKindOf(step, positive.draft, trial.start)
  // What the attempt wrote must not speak for the control.
  if (kind !== 'again') await trial.tools.undoWrites?.(trial.template.id)
  const draft = controlDraft(kind, trial, positive.draft)
  const isGoneFromList = positive.laterRead?.isList === true
  const judged = (one: RequestDraft): Promise<JudgedAttempt> =>
    judge(trial, step, one, condition, {
      captures: false,
      readsRefused: isGoneFromList,
      isInvented: kind === 'elsewhere',
    })
  const control = await judged(draft).catch((error: unknown) => {
    // Some middleware leaves bodies that nobody asked for unanswered; what every path gets, reads get, too.
    const isUnanswered = error instanceof Failure && error.code === 'TARGET_TIMEOUT'
    if (kind !== 'elsewhere' || READS.has(draft.method) || !isUnanswered) throw error
    return judged(bareDraft(draft, 'GET', draft.url))
  })
  const validates = control.record.validates
  const confirms = kind === 'again' ? validates : !validates
  const isListed = (): Promise<boolean> => listsAnother(trial, positive)
  if (confirms && isGoneFromList && control.laterRead?.state !== 'shown' && !(await isListed()))
    return { kind, attempt: control.record, confirms: false, explanation: NEVER_LISTED }
  return { kind, attempt: control.record, confirms, explanation: explanationOf(kind, confirms) }
}

const NEVER_LISTED =
  'The list does not show an object that nobody deleted either, so it does not prove that the object was deleted.'

/** Whether the list shows an object that is made in place of the deleted one: a rejected deletion elsewhere names none. */
async function listsAnother(trial: Trial, { draft }: JudgedAttempt): Promise<boolean> {
  const { tools, template, endpoint, start } = trial
  const { exchange } = await tools.send(bareDraft(start, 'GET', draft.url), {
    followRedirects: false,
    testId: template.id,
    endpoint,
    isOfStandIn: true,
  })
  const deletion = { ...exchange, request: { ...exchange.request, method: 'DELETE' } }
  return (await readStored(trial, draft, deletion))?.state === 'shown'
}

function controlDraft(
  kind: ControlKind,
  { start, credentialNames, endpoint }: Trial,
  attempt: RequestDraft,
): RequestDraft {
  switch (kind) {
    case 'stranger':
      return asStranger(attempt, credentialNames)
    case 'elsewhere':
      return { ...attempt, url: madeUpUrl(attempt, endpoint.url) }
    case 'again':
      return attempt
    default:
      return start
  }
}

/**
 * The URL with its last path segment replaced by one that nobody made. Of a write on an object the last fixed one is: many
 * applications answer a deletion alike, whatever it names.
 */
function madeUpUrl({ url, method }: RequestDraft, template: string): string {
  const made = `vigil-${Math.random().toString(36).slice(2, 12)}`
  const { origin, pathname } = new URL(url)
  const segments = pathname.replace(/\/$/, '').split('/')
  const names = template.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').split('/')
  const last = segments.length - 1
  if (last === 0) return `${origin}/${made}`
  const isFixed = (at: number): boolean =>
    !PARAMETER_WORDS.has(names[at - segments.length + names.length] ?? '')
  const fixed =
    READS.has(method) || isFixed(last) ? last : segments.findLastIndex((_, at) => at > 0 && isFixed(at))
  segments[fixed > 0 ? fixed : last] = made
  return origin + segments.join('/')
}

const SENTENCES: Record<SentControl, readonly [confirming: string, refuting: string]> = {
  unchanged: [
    'Control passed: the original request does not trigger this, only the modified one does.',
    'Control failed: the original request triggers this too, so the modification did not cause it.',
  ],
  stranger: [
    'Control passed: the same request with invalid credentials does not trigger this, so the endpoint authenticates callers but does not check their rights.',
    'Control failed: the same request with invalid credentials triggers this too, so the response does not depend on the caller.',
  ],
  elsewhere: [
    'Control passed: the same request to a path that does not exist does not trigger this.',
    'Control failed: the same request to a path that does not exist triggers this too, so the host answers every path alike.',
  ],
  again: [
    'Reproduced: the same request triggered it twice.',
    'Not reproduced: the same request did not trigger it a second time.',
  ],
}

function explanationOf(kind: SentControl, confirms: boolean): string {
  return SENTENCES[kind][confirms ? 0 : 1]
}
