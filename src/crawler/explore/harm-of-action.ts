import { harmOf } from '../../http/harmful-words.ts'
import { isMarked } from '../safety/own-drafts.ts'
import { undoes, wordsOf } from './control-words.ts'
import type { CrawlContext } from './crawl-context.ts'
import type { PageAction, PageSurvey } from './page/survey-types.ts'

/** Share of the budget from which anything may be destroyed: not much is left to lose by then. */
const LAST_QUARTER = 0.75
/** Words of what people have their rights by, the crawl among them. */
const RIGHTS =
  /\b(?:accounts?|users?|profiles?|members?|me|roles?|permissions?|privileges?|polic(?:y|ies)|clients?|realms?|tenants?|admins?|administrators?)\b/i

/** Further ones, which names of classes have as well. */
const GROUPS =
  /\b(?:groups?|teams?|organi[sz]ations?|auth(?:entication|orization)?|sso|saml|ldap|oidc|identity|federation|providers?|credentials?|tokens?|api keys?)\b/i
/** A value that a crawl filled in: other texts with its mark may be those of an account that people made for it. */
const WRITTEN = /\bvigil-(?=[a-z]{0,6}\d)[a-z\d]{7}\b/i
/** Segments of paths that hold all parts of an application, and are no page of their own. */
const PREFIXES = /\/(?:admin|administrator|tenant)(?=\/[a-z])/gi

/** Where an element stands. */
interface Place {
  readonly location: string
  /** What the row said of the element that was used last. */
  readonly actedRow?: string
  readonly isUsed?: boolean
}

/** Whether a text speaks of something that the crawl has made. */
export function isOwn(text: string): boolean {
  return isMarked(text)
}

/** Whether a text speaks of the account that the crawl uses: its name may have the mark as well. */
function isOwnAccount(text: string, { options, persona }: CrawlContext): boolean {
  const said = lettersOf(text)
  return [options.identity, persona.userName, persona.email, `${persona.firstName} ${persona.lastName}`]
    .map((name) => lettersOf(name.split('@', 1)[0]!))
    .some((name) => name !== '' && said.includes(name))
}

/** `Vigil Scan` and `vigil-scan` are the same. */
function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

/**
 * Whether what an element destroys may be what lets the crawl in, such as the role of an administrator: what the crawl has
 * made is not.
 */
export function endangersRights(
  { guard, dialogText, row }: PageAction,
  { headings }: PageSurvey,
  { location, actedRow = '' }: Place,
  context: CrawlContext,
): boolean {
  const { ports, budget } = context
  if (ports.changes || budget.share > LAST_QUARTER) return false
  const place = location.replace(/^\w+:\/\/[^/]+/, '').replace(PREFIXES, '')
  const said = wordsOf(`${place} ${dialogText}`)
  if (!RIGHTS.test(`${said} ${wordsOf(guard)}`) && !GROUPS.test(said)) return false
  // Further headings may be those of other entries of a list.
  return ![headings[0] ?? '', dialogText, row, actedRow].some(
    (text) => WRITTEN.test(text) && !isOwnAccount(text, context),
  )
}

/** Notes the row of an element that is used, and whether a dialog that opens now may ask whether to destroy something. */
export function noteActed(acted: { actedRow: string; isAsked: boolean }, action: PageAction): void {
  if (action.row !== '' || !(action.inDialog || action.toggles)) acted.actedRow = action.row
  // A question may have a box to tick, or a word to type, before it can be answered.
  const isPartOfAnswer = acted.isAsked && action.inDialog
  acted.isAsked = (isPartOfAnswer && !undoes(action.name)) || harmOfControl(action.guard) === 'destroys'
}

/** Harm that a control speaks of. To become another user ends the session of the user who signed in. */
export function harmOfControl(guard: string): ReturnType<typeof harmOf> {
  return /\bimpersonat|\b(?:log|sign) ?in as\b/i.test(guard) ? 'ends the session' : harmOf(guard)
}

/**
 * What is there is used before it is destroyed. Where nothing is destroyed, and in the second half, it is one use of many;
 * once its page was used, it comes before what promises little: there are others of its kind. An account may be that of the
 * crawl: it waits for the second half.
 */
export function destructionPenalty(
  { guard }: PageAction,
  { isUsed, location }: Place,
  { ports, budget }: CrawlContext,
): number {
  const isAccount = /\b(?:accounts?|users?|profiles?|members?|me)\b/i.test(`${location} ${guard}`)
  if (isUsed && !isAccount && !ports.changes) return -6
  return ports.changes || budget.share > 0.5 ? 12 : 40
}

/**
 * Whoever is signed in, by login or by an account of the crawl's own making, stays so whatever the mode. Where what would
 * change something is held back, what is only said to destroy can be tried: the request tells what it does.
 */
export function mayHarm(
  harm: 'ends the session' | 'destroys',
  context: Pick<CrawlContext, 'ports' | 'allowsHarm' | 'options' | 'knowledge'>,
): boolean {
  if (harm === 'destroys' && context.ports.changes) return true
  if (!context.allowsHarm) return false
  if (harm === 'destroys') return true
  const { ports, options, knowledge } = context
  return ports.session === null && options.identity === 'anonymous' && knowledge.authorization === null
}
