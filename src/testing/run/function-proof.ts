import type { FunctionsNear, FunctionUse, NearFunction } from '../../rules/index.ts'
import type { Template } from '../template/index.ts'
import type { Trial } from './judge.ts'
import { setsRights } from './sets-rights.ts'
import { actingRoles } from './test-callers.ts'

/** Least share of the functions beside one that refuse a role where refusing it is the rule. */
const LEAST_SHARE = 0.6
/** Refusals beside a function that need no other sign. */
const ENOUGH_REFUSED = 2
/** Functions of administrators that must have been tried before it counts that none refuses a role. */
const FEWEST_TRIED = 3
/** Functions that a sentence names. */
const MAX_NAMED = 3

/** Words that may mean the running of a service, such as its status, as well as a function of administrators. */
const NAMES_SERVICE = /^(?:management|internal)$/i

/** How sure it is that a function which an ordinary user could use is one of administrators. */
interface FunctionProof {
  /** `none`: it may be meant for everybody. */
  readonly confidence: 'strong' | 'weak' | 'none'
  /** A sentence for people. */
  readonly reason: string
}

/** What a role met at a function that it was tried at. */
interface Tried extends NearFunction {
  /** By the role itself or, where that was not tried, by ordinary users in recorded traffic. */
  readonly isOpen: boolean | null
}

/** Whether a test asks for functions that ordinary users may not use. */
function isAboutFunctions({ needs }: Template): boolean {
  return needs.some(({ kind }) => kind === 'function use')
}

/**
 * Looks for evidence that a function which works for a role is one of administrators: who was recorded using it, refusals
 * of the role at comparable functions (they are tried), the words of its path, its effect. Null for tests about something
 * else.
 *
 * @param isSeenGone a later read showed that a deletion was carried out
 * @throws Failure SEND_STOPPED when the run ended meanwhile
 */
export async function functionProof(trial: Trial, isSeenGone: boolean): Promise<FunctionProof | null> {
  const { template, endpoint, tools, start } = trial
  const [role] = actingRoles(template)
  if (!isAboutFunctions(template) || role === undefined) return null
  if (endpoint.method === 'DELETE' && !isSeenGone) return { confidence: 'none', reason: UNSEEN }
  const use = tools.lookups.functionUseOf(endpoint)
  if (use.isRefused)
    return {
      confidence: 'strong',
      reason: 'Recorded traffic shows that ordinary users are rejected at this endpoint.',
    }
  const near = tools.lookups.functionsNear(endpoint)
  const beside = await triedAs(role, near.beside, trial)
  const whole = beside.find(({ isOpen, showsMore }) => isOpen === false && showsMore === true)
  if (whole !== undefined)
    return { confidence: use.word === '' ? 'none' : 'weak', reason: excerptSentence(role, whole) }
  const rule = refusingRule(trial, use, beside)
  if (rule !== null) return { confidence: 'strong', reason: `${rule} ${usersSentence(use, near)}`.trim() }
  const isTheirs = use.users === 'administrators' && near.compared !== 'none'
  if (isTheirs && use.word !== '')
    return {
      confidence: NAMES_SERVICE.test(use.word) ? 'weak' : 'strong',
      reason: `${usersSentence(use, near)} ${wordSentence(use)}`,
    }
  if (isTheirs && setsRights(start))
    return {
      confidence: 'strong',
      reason: `${usersSentence(use, near)} The request assigns roles or permissions.`,
    }
  if (use.word !== '')
    return {
      confidence: 'weak',
      reason: `${wordSentence(use)} No other evidence shows that it is for administrators.`,
    }
  if (use.users === 'administrators' && near.compared === 'resource') {
    const tried = await triedAs(role, near.elsewhere, trial)
    const open = tried.filter(({ isOpen }) => isOpen === true)
    if (open.length >= FEWEST_TRIED && !tried.some(({ isOpen }) => isOpen === false))
      return { confidence: 'weak', reason: `${usersSentence(use, near)} ${nowhereSentence(role, open)}` }
  }
  return { confidence: 'none', reason: NOTHING }
}

const UNSEEN =
  'The deletion was answered as successful, but no known request shows whether the object is gone.'
const NOTHING =
  'The request also works for an ordinary user, but nothing shows that the endpoint is meant for administrators only: the role is not rejected at comparable endpoints. If it is, restrict the endpoints of the test roles.'

/** The sentence about the functions beside one that refuse a role, where that is the rule; null where it is not. */
function refusingRule(
  { endpoint, start, template }: Trial,
  use: FunctionUse,
  beside: readonly Tried[],
): string | null {
  const refused = beside.filter(({ isOpen }) => isOpen === false)
  const open = beside.filter(({ isOpen }) => isOpen === true)
  if (refused.length === 0 || refused.length < (refused.length + open.length) * LEAST_SHARE) return null
  const isOnSame = refused.some(({ url }) => url === endpoint.url)
  if (refused.length < ENOUGH_REFUSED && use.word === '' && !isOnSame && !setsRights(start)) return null
  const [role] = actingRoles(template)
  return `The role ${role} is rejected at comparable endpoints: ${namesOf(refused)}.`
}

async function triedAs(role: string, functions: readonly NearFunction[], { tools }: Trial): Promise<Tried[]> {
  const tried: Tried[] = []
  for (const one of functions) {
    const outcome = one.isOpen === null ? await tools.outcomeAs(role, one) : null
    tried.push(outcome === null ? one : { ...one, isOpen: outcome === 'used' })
  }
  return tried
}

function usersSentence({ users }: FunctionUse, { compared }: FunctionsNear): string {
  if (users !== 'administrators') return ''
  return compared === 'none'
    ? 'Only administrators were recorded using this endpoint.'
    : 'Only administrators were recorded using this endpoint; ordinary users were recorded using others.'
}

function wordSentence({ word }: FunctionUse): string {
  return `Its path contains "${word}", and no ordinary user was recorded using anything below it.`
}

function excerptSentence(role: string, whole: Tried): string {
  return `The role ${role} is rejected at ${namesOf([whole])}, which shows the same objects with more fields, so this reduced view may be meant for all users.`
}

function nowhereSentence(role: string, open: readonly Tried[]): string {
  return `The role ${role} is not rejected at any endpoint that only administrators were recorded using, such as ${namesOf(open)}: the application does not seem to check roles.`
}

function namesOf(functions: readonly NearFunction[]): string {
  return functions
    .slice(0, MAX_NAMED)
    .map(({ method, url }) => `${method} ${url}`)
    .join(', ')
}
