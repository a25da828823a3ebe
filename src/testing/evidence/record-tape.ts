import { createHash } from 'node:crypto'
import type { Exchange } from '../../http/index.ts'
import { Failure } from '../../kit/index.ts'
import { type Lookups, Variables, type VariableValue } from '../../rules/index.ts'
import type {
  CallbackPort,
  CredentialParameter,
  CredentialSource,
  ParentMix,
  RequestDraft,
} from '../attempts/index.ts'
import { endpointText, type PairResult } from '../run/pair-result.ts'
import type { Listing, RoleOutcome, RunTools } from '../run/tools.ts'
import type { Template } from '../template/index.ts'
import type { Tape, TapedCredentials, TapedExchange, TapedSend } from './tape.ts'

/** Digest of the source of a template, as tapes name it: SHA-256 in hex. */
export function templateDigest(source: string): string {
  return createHash('sha256').update(source).digest('hex')
}

const digests = new WeakMap<Template, string>()

/** {@link templateDigest} of a template, found out once: it is put on the tape of every pair. */
function digestOf(template: Template): string {
  const known = digests.get(template)
  if (known !== undefined) return known
  const digest = templateDigest(template.source)
  digests.set(template, digest)
  return digest
}

/** Tools of a pair that remember what they gave. */
interface TapeRecorder {
  readonly tools: RunTools
  /** The tape up to now, with exchanges that are in the result by their place there. */
  tape(result: PairResult): Tape
}

interface OpenSend {
  exchange: Exchange | null
  rest: Omit<Extract<TapedSend, { exchange: TapedExchange }>, 'exchange'> | null
  failure: Extract<TapedSend, { failure: string }> | null
}

/** What a test got so far. */
class OpenTape {
  readonly templates: Record<string, string> = Object.create(null)
  readonly words: Record<string, readonly string[]> = Object.create(null)
  readonly captured: Record<string, VariableValue> = Object.create(null)
  readonly sends: OpenSend[] = []
  readonly callbacks: { id: string; url: string }[] = []
  readonly lookups: LookupRecorder
  credentials: CredentialRecorder | null = null
  fresh: Exchange | null = null
  unchanged: Exchange | null = null
  own: Exchange | null = null
  list: Exchange | null = null
  signIn: Exchange | null = null
  listing: Listing | null = null
  isPartOfShared: boolean | null = null
  isLoose = false
  ownParents: readonly ParentMix[] | null = null
  readonly outcomes: Record<string, RoleOutcome | null> = Object.create(null)

  constructor(template: Template, lookups: Lookups) {
    this.templates[template.id] = digestOf(template)
    this.lookups = new LookupRecorder(lookups)
  }
}

/** Puts a recorder between one test on one endpoint and its tools. */
export function recordTape(template: Template, tools: RunTools): TapeRecorder {
  const open = new OpenTape(template, tools.lookups)
  const watched: RunTools = {
    ...tools,
    lookups: open.lookups.watched,
    send: (draft, options) => recordedSend(open, tools, draft, options),
    async freshAnswer(endpoint, draft) {
      open.fresh = await tools.freshAnswer(endpoint, draft)
      return open.fresh
    },
    async unchangedAnswer(endpoint, draft) {
      open.unchanged = await tools.unchangedAnswer(endpoint, draft)
      return open.unchanged
    },
    async ownAnswer(role, endpoint) {
      open.own = await tools.ownAnswer(role, endpoint)
      return open.own
    },
    async listAnswer(role, endpoint) {
      open.list = await tools.listAnswer(role, endpoint)
      return open.list
    },
    signInOf(endpoint) {
      open.signIn = tools.signInOf(endpoint)
      return open.signIn
    },
    async listingFor(role, endpoint, answer) {
      open.listing = await tools.listingFor(role, endpoint, answer)
      return open.listing
    },
    async isPartOfShared(role, endpoint) {
      open.isPartOfShared = await tools.isPartOfShared(role, endpoint)
      return open.isPartOfShared
    },
    async outcomeAs(role, endpoint) {
      const outcome = await tools.outcomeAs(role, endpoint)
      open.outcomes[endpointText(endpoint)] = outcome
      return outcome
    },
    templateOf(testId) {
      const found = tools.templateOf(testId)
      if (found !== null) open.templates[testId] = digestOf(found)
      return found
    },
    isLooseStore(endpoint) {
      open.isLoose = tools.isLooseStore(endpoint)
      return open.isLoose
    },
    wordsFor(one, endpoint) {
      const given = tools.wordsFor(one, endpoint)
      const literal = new Map(
        one.wordLists.map((spec) => [spec.name, spec.kind === 'words' ? spec.words : null]),
      )
      for (const [name, list] of given) if (literal.get(name) !== list) open.words[name] = list
      return given
    },
    provideCaptured(one, endpoint, variables) {
      tools.provideCaptured(one, endpoint, new WatchedVariables(variables, open.captured))
    },
    environmentFor(one, endpoint, variables) {
      const environment = tools.environmentFor(one, endpoint, variables)
      open.credentials ??= new CredentialRecorder(environment.credentials)
      return {
        ...environment,
        credentials: open.credentials.watched,
        callback: environment.callback && watchedCallback(environment.callback, open.callbacks),
        ownParents() {
          open.ownParents = environment.ownParents()
          return open.ownParents
        },
      }
    },
  }
  return {
    tools: watched,
    tape: (result) => ({
      templates: open.templates,
      words: open.words,
      captured: open.captured,
      credentials: open.credentials?.taped() ?? null,
      fresh: open.fresh === null ? null : placeOf(open.fresh, result),
      unchanged: open.unchanged === null ? null : placeOf(open.unchanged, result),
      own: open.own === null ? null : placeOf(open.own, result),
      list: open.list === null ? null : placeOf(open.list, result),
      ...(open.signIn === null ? {} : { signIn: placeOf(open.signIn, result) }),
      ...(open.listing === null ? {} : { listing: open.listing }),
      ...(open.isLoose ? { isLoose: true } : {}),
      ...(open.isPartOfShared === null ? {} : { isPartOfShared: open.isPartOfShared }),
      ...(Object.keys(open.outcomes).length === 0 ? {} : { outcomes: open.outcomes }),
      ...(open.ownParents === null ? {} : { ownParents: open.ownParents }),
      sends: open.sends.flatMap((send) => closed(send, result)),
      lookups: open.lookups.answers,
      callbacks: open.callbacks,
    }),
  }
}

async function recordedSend(
  tape: OpenTape,
  tools: RunTools,
  draft: RequestDraft,
  options: Parameters<RunTools['send']>[1],
): ReturnType<RunTools['send']> {
  const open: OpenSend = { exchange: null, rest: null, failure: null }
  tape.sends.push(open)
  try {
    const sent = await tools.send(draft, options)
    const { responseTimeMs, isTruncated } = sent
    open.exchange = sent.exchange
    open.rest = { responseTimeMs, isTruncated, isDefaultPage: tools.isDefaultPage(sent.exchange) }
    return sent
  } catch (error) {
    if (error instanceof Failure) open.failure = { failure: error.code, details: detailsOf(error) }
    throw error
  }
}

/** A send that the end of the run cut off is none. */
function closed(open: OpenSend, result: PairResult): TapedSend[] {
  if (open.exchange !== null && open.rest !== null)
    return [{ exchange: placeOf(open.exchange, result), ...open.rest }]
  return open.failure === null ? [] : [open.failure]
}

function placeOf(exchange: Exchange, result: PairResult): TapedExchange {
  if (exchange === result.baseline) return 'baseline'
  if (exchange === result.control?.attempt?.exchange) return 'control'
  const attempt = result.attempts.findIndex((one) => one.exchange === exchange)
  return attempt < 0 ? exchange : { attempt }
}

function detailsOf(error: Failure): Record<string, string> {
  const { host, reason } = error.details
  return {
    ...(typeof host === 'string' ? { host } : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
  }
}

function watchedCallback(port: CallbackPort, log: { id: string; url: string }[]): CallbackPort {
  return {
    register(redirectUrl) {
      const registered = port.register(redirectUrl)
      log.push({ id: registered.id, url: registered.url })
      return registered
    },
    hits: (id) => port.hits(id),
  }
}

class CredentialRecorder {
  readonly #source: CredentialSource
  readonly #roles: Record<string, readonly CredentialParameter[] | null> = Object.create(null)
  readonly watched: CredentialSource

  constructor(source: CredentialSource) {
    this.#source = source
    this.watched = {
      ...source,
      parametersOf: (role) => {
        const parameters = source.parametersOf(role)
        this.#roles[role] = parameters
        return parameters
      },
    }
  }

  taped(): TapedCredentials {
    const { authHeaderNames, authTypeKeys } = this.#source
    return {
      headerNames: authHeaderNames,
      typeHeaders: authTypeKeys.headers,
      typeBodyKeys: authTypeKeys.bodyKeys,
      roles: this.#roles,
    }
  }
}

/** Look-ups that count their answers. */
class LookupRecorder {
  readonly answers: { [Name in keyof Lookups]?: [ReturnType<Lookups[Name]>, number][] } = {}
  readonly watched: Lookups

  constructor(lookups: Lookups) {
    this.watched = {
      isKnownEndpoint: (...asked) => this.#note('isKnownEndpoint', lookups.isKnownEndpoint(...asked)),
      rolesOf: (...asked) => this.#note('rolesOf', lookups.rolesOf(...asked)),
      isAccessUnknown: (...asked) => this.#note('isAccessUnknown', lookups.isAccessUnknown(...asked)),
      guardedSiblingsOf: (...asked) => this.#note('guardedSiblingsOf', lookups.guardedSiblingsOf(...asked)),
      accessTypesOf: (...asked) => this.#note('accessTypesOf', lookups.accessTypesOf(...asked)),
      privateValuesOf: (...asked) => this.#note('privateValuesOf', lookups.privateValuesOf(...asked)),
      ownershipOf: (...asked) => this.#note('ownershipOf', lookups.ownershipOf(...asked)),
      isUsedAnonymously: (...asked) => this.#note('isUsedAnonymously', lookups.isUsedAnonymously(...asked)),
      isFromAdministrator: (...asked) =>
        this.#note('isFromAdministrator', lookups.isFromAdministrator(...asked)),
      functionUseOf: (...asked) => this.#note('functionUseOf', lookups.functionUseOf(...asked)),
      functionsNear: (...asked) => this.#note('functionsNear', lookups.functionsNear(...asked)),
      otherValueOf: (...asked) => this.#note('otherValueOf', lookups.otherValueOf(...asked)),
      fieldsOf: (...asked) => this.#note('fieldsOf', lookups.fieldsOf(...asked)),
      quotedAmountsOf: (...asked) => this.#note('quotedAmountsOf', lookups.quotedAmountsOf(...asked)),
      matchesDataType: (...asked) => this.#note('matchesDataType', lookups.matchesDataType(...asked)),
      callbackHits: (...asked) => this.#note('callbackHits', lookups.callbackHits(...asked)),
      collectionsOf: (...asked) => this.#note('collectionsOf', lookups.collectionsOf(...asked)),
      collectionTags: (...asked) => this.#note('collectionTags', lookups.collectionTags(...asked)),
    }
  }

  #note<Name extends keyof Lookups>(
    name: Name,
    answer: ReturnType<Lookups[Name]>,
  ): ReturnType<Lookups[Name]> {
    const list: [ReturnType<Lookups[Name]>, number][] = this.answers[name] ?? []
    const last = list.at(-1)
    if (last !== undefined && isSame(last[0], answer)) last[1]++
    else list.push([answer, 1])
    Object.assign(this.answers, { [name]: list })
    return answer
  }
}

function isSame(one: unknown, other: unknown): boolean {
  return one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other))
}

/** Variables of a test that tell which ones are set. */
class WatchedVariables extends Variables {
  readonly #inner: Variables
  readonly #log: Record<string, VariableValue>

  constructor(inner: Variables, log: Record<string, VariableValue>) {
    super()
    this.#inner = inner
    this.#log = log
  }

  override get(name: string): VariableValue | undefined {
    return this.#inner.get(name)
  }

  override captured(name: string): VariableValue | undefined {
    return this.#inner.captured(name)
  }

  override words(name: string): readonly string[] | undefined {
    return this.#inner.words(name)
  }

  override set(name: string, value: VariableValue): void {
    this.#log[name] = value
    this.#inner.set(name, value)
  }
}
