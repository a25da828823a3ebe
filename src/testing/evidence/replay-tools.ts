import type { Exchange } from '../../http/index.ts'
import type { OutgoingRequest } from '../../http/sender/index.ts'
import { Failure } from '../../kit/index.ts'
import { EMPTY_LOOKUPS, type Lookups } from '../../rules/index.ts'
import {
  ATTACKER_ROLE,
  type CredentialSource,
  OWN_FILES,
  outgoingRequest,
  type RequestDraft,
} from '../attempts/index.ts'
import type { Evidence } from '../records/evidence.ts'
import { endpointText } from '../run/pair-result.ts'
import type { RunTools } from '../run/tools.ts'
import type { Template } from '../template/index.ts'
import { createSigningKeys, type SigningKeys } from '../tokens/signing-keys.ts'
import { isExchange } from './mask-tape.ts'
import type { Answers, Tape, TapedExchange, TapedSend } from './tape.ts'

/** A wait of the test passes at once; the clock continues by it. */
const CALLBACK_PATIENCE_MS = 5_000
let keys: SigningKeys | null = null

/** The tape does not fit the evidence or the test, or ended before the test did. */
export class TapeEnded extends Error {}

/**
 * Tools that give a test what its tape holds, and send nothing.
 *
 * @param templates by id; the test's own is among them
 */
export function replayTools(
  evidence: Evidence,
  tape: Tape,
  templates: ReadonlyMap<string, Template>,
  isParallel: boolean,
): RunTools {
  let clockMs = 0
  const sends = new SendQueue(evidence, tape.sends, isParallel)
  const callbacks = [...tape.callbacks]
  const lookups = lookupsFrom(tape)
  return {
    sampleOf: () => evidence.baseline,
    lookups,
    signal: new AbortController().signal,
    callbackPatienceMs: CALLBACK_PATIENCE_MS,
    nowMs: () => clockMs,
    wait(ms) {
      clockMs += ms
      return Promise.resolve()
    },
    listAnswer: () => Promise.resolve(tape.list == null ? null : exchangeAt(evidence, tape.list)),
    ownAnswer: () => Promise.resolve(tape.own == null ? null : exchangeAt(evidence, tape.own)),
    signInOf: () => (tape.signIn == null ? null : exchangeAt(evidence, tape.signIn)),
    isPartOfShared: () => Promise.resolve(tape.isPartOfShared === true),
    isLooseStore: () => tape.isLoose === true,
    noteLooseStore() {}, // the run noted it
    listingFor: () => Promise.resolve(tape.listing ?? 'none'),
    outcomeAs: (_role, endpoint) => Promise.resolve(tape.outcomes?.[endpointText(endpoint)] ?? null),
    isDefaultPage: (exchange) => sends.isDefaultPage(exchange),
    templateOf: (testId) => templates.get(testId) ?? null,
    wordsFor(template) {
      const words = new Map<string, readonly string[]>()
      for (const spec of template.wordLists) if (spec.kind === 'words') words.set(spec.name, spec.words)
      for (const [name, list] of Object.entries(tape.words)) words.set(name, list)
      return words
    },
    provideCaptured(_template, _endpoint, variables) {
      for (const [name, value] of Object.entries(tape.captured)) variables.set(name, value)
    },
    freshAnswer: () => Promise.resolve(tape.fresh === null ? null : exchangeAt(evidence, tape.fresh)),
    unchangedAnswer: () =>
      Promise.resolve(tape.unchanged === null ? null : exchangeAt(evidence, tape.unchanged)),
    environmentFor: (_template, _endpoint, variables) => {
      keys ??= createSigningKeys('https://replay.invalid/keys.json')
      return {
        variables,
        credentials: credentialsFrom(tape),
        callback: {
          register() {
            const next = callbacks.shift()
            if (next === undefined) throw new TapeEnded('the test registers more callbacks than it did')
            return next
          },
          hits: (id) => lookups.callbackHits(id),
        },
        keys,
        nowSeconds: () => evidence.baseline?.at ?? 0,
        files: OWN_FILES,
        ownParents: () => tape.ownParents ?? [],
      }
    },
    send: (draft) => sends.take(draft),
  }
}

/** The recorded requests, handed out in the order in which they were sent. */
class SendQueue {
  readonly #evidence: Evidence
  readonly #sends: readonly TapedSend[]
  readonly #left: TapedSend[]
  readonly #isParallel: boolean
  readonly #defaultPages = new Set<Exchange>()
  readonly #asked = new Set<string>()
  #recorded: ReadonlySet<string> | null = null

  constructor(evidence: Evidence, sends: readonly TapedSend[], isParallel: boolean) {
    this.#evidence = evidence
    this.#sends = sends
    this.#left = [...sends]
    this.#isParallel = isParallel
  }

  isDefaultPage(exchange: Exchange): boolean {
    return this.#defaultPages.has(exchange)
  }

  async take(draft: RequestDraft): ReturnType<RunTools['send']> {
    const at = this.#isParallel ? this.#fitting(draft) : 0
    const [next] = this.#left.splice(at, 1)
    if (next === undefined) throw new TapeEnded('the test sends more requests than it did')
    if ('failure' in next) throw new Failure(next.failure, { ...next.details })
    const exchange = exchangeAt(this.#evidence, next.exchange)
    if (!this.#isParallel) this.#requireOrder(exchange, outgoingRequest(draft))
    if (next.isDefaultPage) this.#defaultPages.add(exchange)
    return { exchange, responseTimeMs: next.responseTimeMs, isTruncated: next.isTruncated }
  }

  /**
   * A test that sends more or fewer requests than the version that recorded them would be given answers to others. A
   * request may differ from its record, where its secrets are masked, its address was made up, or it was sent to a copy of
   * the object: what differs counts when both requests stand on the tape as they are.
   */
  #requireOrder({ request }: Exchange, wanted: OutgoingRequest): void {
    const [asked, recorded] = [textOfOutgoing(wanted), textOfRecorded(request)]
    const isOther = recorded !== asked && this.#asked.has(recorded) && this.#isRecorded(asked)
    if (isOther || request.method !== wanted.method)
      throw new TapeEnded('the test sends its requests in another order than it did')
    this.#asked.add(asked)
  }

  #isRecorded(asked: string): boolean {
    this.#recorded ??= new Set(
      this.#sends.flatMap((one) =>
        'failure' in one ? [] : [textOfRecorded(exchangeAt(this.#evidence, one.exchange).request)],
      ),
    )
    return this.#recorded.has(asked)
  }

  /** Steps that run at the same time ask in any order: the request says which answer is meant. */
  #fitting(draft: RequestDraft): number {
    const asked = textOfOutgoing(outgoingRequest(draft))
    const at = this.#left.findIndex(
      (one) =>
        !('failure' in one) && textOfRecorded(exchangeAt(this.#evidence, one.exchange).request) === asked,
    )
    return Math.max(at, 0)
  }
}

function textOfOutgoing({ method, url, body }: OutgoingRequest): string {
  return `${method} ${url}\n${body === null ? '' : Buffer.from(body).toString()}`
}

function textOfRecorded({ method, target, body }: Exchange['request']): string {
  return `${method} ${target}\n${body}`
}

function exchangeAt(evidence: Evidence, place: TapedExchange): Exchange {
  if (isExchange(place)) return place
  const found =
    place === 'baseline'
      ? evidence.baseline
      : place === 'control'
        ? evidence.control?.attempt?.exchange
        : evidence.attempts[place.attempt]?.exchange
  if (!found) throw new TapeEnded('a recorded request is missing')
  return found
}

function credentialsFrom({ credentials }: Tape): CredentialSource {
  return {
    authHeaderNames: credentials?.headerNames ?? [],
    authTypeKeys: { headers: credentials?.typeHeaders ?? [], bodyKeys: credentials?.typeBodyKeys ?? [] },
    parametersOf: (role) =>
      credentials !== null && Object.hasOwn(credentials.roles, role) ? credentials.roles[role]! : null,
    attackerRole: ATTACKER_ROLE,
  }
}

function lookupsFrom({ lookups }: Tape): Lookups {
  return {
    isKnownEndpoint: inOrder(lookups.isKnownEndpoint, EMPTY_LOOKUPS.isKnownEndpoint),
    rolesOf: inOrder(lookups.rolesOf, EMPTY_LOOKUPS.rolesOf),
    isAccessUnknown: inOrder(lookups.isAccessUnknown, EMPTY_LOOKUPS.isAccessUnknown),
    guardedSiblingsOf: inOrder(lookups.guardedSiblingsOf, EMPTY_LOOKUPS.guardedSiblingsOf),
    accessTypesOf: inOrder(lookups.accessTypesOf, EMPTY_LOOKUPS.accessTypesOf),
    privateValuesOf: inOrder(lookups.privateValuesOf, EMPTY_LOOKUPS.privateValuesOf),
    ownershipOf: inOrder(lookups.ownershipOf, EMPTY_LOOKUPS.ownershipOf),
    isUsedAnonymously: inOrder(lookups.isUsedAnonymously, EMPTY_LOOKUPS.isUsedAnonymously),
    isFromAdministrator: inOrder(lookups.isFromAdministrator, EMPTY_LOOKUPS.isFromAdministrator),
    functionUseOf: inOrder(lookups.functionUseOf, EMPTY_LOOKUPS.functionUseOf),
    functionsNear: inOrder(lookups.functionsNear, EMPTY_LOOKUPS.functionsNear),
    otherValueOf: inOrder(lookups.otherValueOf, EMPTY_LOOKUPS.otherValueOf),
    fieldsOf: inOrder(lookups.fieldsOf, EMPTY_LOOKUPS.fieldsOf),
    quotedAmountsOf: inOrder(lookups.quotedAmountsOf, EMPTY_LOOKUPS.quotedAmountsOf),
    matchesDataType: inOrder(lookups.matchesDataType, EMPTY_LOOKUPS.matchesDataType),
    callbackHits: inOrder(lookups.callbackHits, EMPTY_LOOKUPS.callbackHits),
    collectionsOf: inOrder(lookups.collectionsOf, EMPTY_LOOKUPS.collectionsOf),
    collectionTags: inOrder(lookups.collectionTags, EMPTY_LOOKUPS.collectionTags),
  }
}

/** A look-up that answers as it did; asked oftener, it repeats its last answer. */
function inOrder<Asked extends unknown[], Answer>(
  answers: Answers<Answer> | undefined,
  otherwise: (...asked: Asked) => Answer,
): (...asked: Asked) => Answer {
  let at = 0
  let used = 0
  return (...asked) => {
    const current = answers?.[at]
    if (current === undefined) return answers?.at(-1)?.[0] ?? otherwise(...asked)
    if (++used >= current[1]) {
      at++
      used = 0
    }
    return current[0]
  }
}
