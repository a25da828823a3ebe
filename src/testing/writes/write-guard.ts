import type { Exchange } from '../../http/index.ts'
import { Failure, newHexId, nowMs } from '../../kit/index.ts'
import type { Lookups } from '../../rules/index.ts'
import { draftOf, type RequestDraft } from '../attempts/index.ts'
import type { SentRequest, UndoneWrites } from '../run/tools.ts'
import { type ChosenName, deletableName, freshlyNamed, valueIn } from './chosen-name.ts'
import { createdUrls, listedIds } from './created-object.ts'
import { isDeletable } from './deletable.ts'
import { withFreshValues } from './fresh-values.ts'
import { GuessGuard, type WrongSecrets } from './guess-guard.ts'
import { irreversible } from './irreversible.ts'
import { isWrappedList } from './object-state.ts'
import { type SignUp, signUpFor } from './own-account.ts'
import { OwnObjects, wasThere } from './own-objects.ts'
import {
  keptDraft,
  type PendingChange,
  type PendingCreation,
  type PendingPassword,
  type PendingWrite,
  type WriteKeeper,
} from './pending-write.ts'
import { isRejected, isSignedIn, signInOf, withSecret } from './sign-in.ts'
import {
  chosenPlace,
  isBelow,
  issuedPlace,
  listOfIssued,
  mayBePage,
  type StandInPlace,
  standInPlace,
} from './stand-in-place.ts'
import { stateBefore } from './state-before.ts'
import { namesSystemFile } from './system-files.ts'
import { bareDraft, readState, type SendDraft, undoWrite } from './undo-write.ts'
import {
  isWelcome,
  madeUrls,
  makingsOf,
  refused,
  sendWith,
  type Transmit,
  type WantedWrite,
  withBefore,
} from './wanted-write.ts'
import { effectOf, type WriteEffect } from './write-effect.ts'

/** What tests may do to the application: nothing, what can be undone, or everything. */
export type WriteLevel = 'READ_ONLY' | 'REVERSIBLE' | 'ALL'

/** What the writes of one execution need. */
interface WriteRules {
  readonly level: WriteLevel
  /** Whether writes are undone. */
  readonly undoes: boolean
  readonly keeper: WriteKeeper
  readonly lookups: Lookups
}

/** Segments that stand for what a list may hold: a path template takes one of them. */
const LIKELY_IDS = ['1', 'a', '0123456789abcdef01234567', '5f3c1d2e-8a4b-4c6d-9e7f-0a1b2c3d4e5f']

/** The writes of one execution in this process: objects that several tests change at once are restored by the last. */
export class RunWrites {
  readonly #rules: WriteRules
  readonly #held = new Map<string, { readonly write: PendingChange; holders: number }>()
  readonly #own = new OwnObjects()
  readonly #wrong: WrongSecrets = new Map()
  /** Endpoints whose recorded values are taken. */
  readonly #taken = new Set<string>()

  constructor(rules: WriteRules) {
    this.#rules = rules
  }

  /** The writes of one test on one endpoint. */
  begin(): PairWrites {
    return new PairWrites(this.#rules, {
      held: this.#held,
      own: this.#own,
      wrong: this.#wrong,
      taken: this.#taken,
    })
  }
}

/** What the tests of an execution share. */
interface SharedWrites {
  readonly held: Map<string, { readonly write: PendingChange; holders: number }>
  readonly own: OwnObjects
  readonly wrong: WrongSecrets
  readonly taken: Set<string>
}

/** Lets the writes of one test through that may be sent, and undoes them when the test has ended. */
export class PairWrites {
  readonly #rules: WriteRules
  readonly #held: Map<string, { readonly write: PendingChange; holders: number }>
  readonly #own: OwnObjects
  readonly #taken: Set<string>
  readonly #open: PendingWrite[] = []
  /** What the test itself has deleted. */
  readonly #deleted = new Set<string>()
  /** By the URL of the recorded object: the one made for this test; null where none can be made. */
  readonly #standIns = new Map<string, { readonly url: string; isGone: boolean } | null>()
  readonly #guesses: GuessGuard

  constructor(rules: WriteRules, { held, own, wrong, taken }: SharedWrites) {
    this.#rules = rules
    this.#held = held
    this.#own = own
    this.#taken = taken
    this.#guesses = new GuessGuard({
      isAllowed: rules.level === 'ALL',
      wrong,
      makeAccount: (wanted, transmit) => this.#makeAccount(wanted, transmit),
    })
  }

  /**
   * Sends a request, after what it changes was read and kept.
   * @throws Failure WRITE_NOT_REVERSIBLE when the level of the run does not allow it; codes of the sender
   */
  async send(wanted: WantedWrite, transmit: Transmit): Promise<SentRequest> {
    const effect = this.#effectOf(wanted)
    if (effect === 'read' && wanted.isOfStandIn === true && this.#rules.level !== 'READ_ONLY')
      await this.#makeStandIn(wanted, transmit, sendWith(transmit))
    if (effect === 'read')
      return this.#guesses.send({ ...wanted, draft: this.#mapped(wanted.draft) }, transmit)
    if (this.#rules.level === 'READ_ONLY')
      throw refused(wanted.draft, 'the run only reads (write level READ_ONLY)')
    if (namesSystemFile(wanted.draft))
      throw refused(wanted.draft, 'it names a file that the operating system of the target needs', true)
    const { signIn = null } = wanted
    if (signIn !== null) return this.#setPassword(wanted, signIn, transmit)
    if (wanted.isInvented === true && effect !== 'post') return this.#sendInvented(wanted, transmit)
    const send = sendWith(transmit)
    if (this.#rules.undoes || effect === 'remove') await this.#makeStandIn(wanted, transmit, send)
    const draft = this.#mapped(wanted.draft)
    const mapped = { ...wanted, draft }
    if (effect === 'remove') return this.#remove(mapped, transmit, send)
    if (effect === 'post' && !this.#rules.undoes) return this.#fresh(mapped, transmit)
    if (!this.#rules.undoes) return transmit(draft)
    const isAll = this.#rules.level === 'ALL'
    const issued = isAll ? listOfIssued(draft, wanted.related) : null
    const madeIn = issued === null ? {} : { madeIn: { list: issued.list, before: [], isNamed: true } }
    const creation = { ...mapped, ...madeIn }
    if (this.#isCreating(creation))
      return this.#create(withBefore(creation, issued?.names ?? []), transmit, send)
    const chosen = effect === 'post' ? deletableName(mapped, this.#rules.lookups, isAll) : null
    const named = chosen === null ? null : freshlyNamed(draft, wanted.start, chosen)
    if (chosen !== null && named !== null)
      return this.#createNamed({ ...mapped, draft: named }, chosen, transmit)
    return this.#change(mapped, transmit, send)
  }

  /** What a request does, by its words; one whose answer names what can be read made it. */
  #effectOf(wanted: WantedWrite): WriteEffect {
    const effect = effectOf(wanted.draft)
    if (effect !== 'read' || wanted.draft.method !== 'POST' || signInOf(wanted.draft) !== null) return effect
    return this.#makesOne(wanted) ? 'post' : effect
  }

  /** Whether requests of the test act on an object that was made for it. */
  hasStandIn({ url }: RequestDraft): boolean {
    return [...this.#standIns].some(([recorded, made]) => made !== null && isBelow(url, recorded))
  }

  /** The request, on the object that was made for the test in place of the recorded one. */
  #mapped(draft: RequestDraft): RequestDraft {
    for (const [recorded, made] of this.#standIns)
      if (made !== null && isBelow(draft.url, recorded))
        return { ...draft, url: made.url + draft.url.slice(recorded.length) }
    return draft
  }

  /**
   * Makes an object like the recorded one, with the credentials of its user, for the test to change or delete: what users
   * have stays untouched, and a recorded request whose object is gone works again.
   */
  async #makeStandIn(wanted: WantedWrite, transmit: Transmit, send: SendDraft): Promise<void> {
    const of = [wanted.start, wanted.endpoint, wanted.related] as const
    const isKnown = (method: string, url: string): boolean =>
      this.#rules.lookups.isKnownEndpoint(wanted.endpoint.collectionId, method, url)
    const isAll = this.#rules.level === 'ALL'
    const further = isAll ? (issuedPlace(...of, isKnown) ?? chosenPlace(...of, isKnown)) : null
    const place = standInPlace(...of) ?? further
    if (place === null) return
    const known = this.#standIns.get(place.recorded)
    if (known === null || known?.isGone === false) return
    this.#standIns.set(place.recorded, null)
    try {
      await this.#makeAt(place, wanted, transmit, send)
    } catch (error) {
      const code = error instanceof Failure ? error.code : ''
      // A test that comes later makes one: this one had no time left.
      if (code === 'SEND_STOPPED') this.#standIns.delete(place.recorded)
      // Whether the recorded object may be changed is another question.
      if (code !== 'WRITE_NOT_REVERSIBLE') throw error
    }
  }

  async #makeAt(
    place: StandInPlace,
    wanted: WantedWrite,
    transmit: Transmit,
    send: SendDraft,
  ): Promise<void> {
    const own = wanted.start.headers.filter(({ name }) => !OF_BODY.test(name))
    const recorded = draftOf(place.creation)
    const headers = [...own, ...recorded.headers.filter(({ name }) => OF_BODY.test(name))]
    const draft = { ...recorded, headers, identity: wanted.start.identity, followRedirects: false }
    // The new object may be one that only the recorded user sees.
    const here = { ...wanted, draft, start: draft, sample: place.creation, deleter: recorded }
    const { list, names, isByVerb = false, name } = place
    if (name !== undefined) return this.#makeNamed(here, { recorded: place.recorded, name }, transmit, send)
    const creation = makingsOf(place, here).find((one) => this.#isCreating(one))
    if (creation === undefined) return
    const listed = list === undefined ? [] : await this.#listedAt(list, wanted, send)
    // Of what cannot be seen to be new, nothing is taken for made by the test.
    if (listed === null ? names === undefined : isByVerb && mayBePage(listed)) return
    const before = [...(names ?? []), ...(listed ?? [])]
    const made = await this.#madeWith(withBefore(creation, before), transmit, send)
    const id = made?.slice(made.lastIndexOf('/') + 1)
    if (made === null || id === undefined || before.includes(id)) return
    const url = place.recorded.replace(/[^/]*$/, id)
    this.#own.add(url, made)
    this.#standIns.set(place.recorded, { url, isGone: false })
  }

  /** Makes an object under another name than the recorded one has, and reads whether it is there. */
  async #makeNamed(
    wanted: WantedWrite,
    { recorded, name }: { readonly recorded: string; readonly name: ChosenName },
    transmit: Transmit,
    send: SendDraft,
  ): Promise<void> {
    const draft = freshlyNamed(wanted.draft, wanted.start, name)
    const value = draft === null ? null : valueIn(draft, name)
    if (draft === null || value === null) return
    const url = `${name.parent}/${encodeURIComponent(value)}`
    const creation = { ...wanted, draft }
    await (this.#rules.undoes ? this.#createNamed(creation, name, transmit) : this.#fresh(creation, transmit))
    const shown = await send(bareDraft(wanted.start, 'GET', url))
    if (!isWelcome(shown) || !shown.response.body.includes(value)) return
    this.#own.add(url)
    this.#standIns.set(recorded, { url, isGone: false })
  }

  /** Makes something; @returns its URL, null where the answer names nothing that was not there before */
  async #madeWith(creation: WantedWrite, transmit: Transmit, send: SendDraft): Promise<string | null> {
    if (!this.#rules.undoes)
      return this.#madeBy(creation, (await this.#fresh(creation, transmit)).exchange)[0] ?? null
    const { exchange } = await this.#create(creation, transmit, send)
    return this.#madeBy(creation, exchange).find((url) => this.#own.has(url)) ?? null
  }

  /**
   * Makes an account for a test that guesses secrets, by a recorded sign-up: whatever becomes of it, nobody needs it.
   * Null where none was recorded, nobody was recorded deleting such accounts, or the new one cannot sign in.
   */
  async #makeAccount(wanted: WantedWrite, transmit: Transmit): Promise<SignUp | null> {
    const { level, undoes } = this.#rules
    const signUp = level === 'READ_ONLY' ? null : signUpFor(wanted.start, wanted.related)
    if (signUp === null) return null
    const { draft, deleter, recorded } = signUp
    const creation = { ...wanted, draft, start: draftOf(recorded), sample: recorded, deleter }
    const isListed = undoes && deleter !== null && this.#isCreating(creation)
    const chosen = undoes && !isListed ? deletableName(creation, this.#rules.lookups) : null
    if (!isListed && chosen === null && level !== 'ALL') return null
    const { exchange } = isListed
      ? await this.#create(creation, transmit, sendWith(transmit))
      : chosen === null
        ? await transmit(creation.draft)
        : await this.#createNamed(creation, chosen, transmit)
    if (!isWelcome(exchange)) return null
    const signedIn = await transmit(signUp.signIn(wanted.start))
    return isWelcome(signedIn.exchange) ? signUp : null
  }

  /** Makes something under a name that nobody has: nothing else is deleted by it afterwards. */
  async #createNamed(wanted: WantedWrite, chosen: ChosenName, transmit: Transmit): Promise<SentRequest> {
    const created = [`${chosen.parent}/${encodeURIComponent(valueIn(wanted.draft, chosen)!)}`]
    const write: PendingCreation = {
      ...this.#write({ ...wanted, deleter: chosen.deleter }),
      kind: 'CREATE',
      created,
      listed: null,
    }
    await this.#rules.keeper.keep(write)
    this.#own.hold(created)
    this.#open.push(write)
    return this.#fresh(wanted, transmit)
  }

  /** Sends what makes something, with fresh values where those of the recorded request are taken. */
  #fresh(
    wanted: WantedWrite,
    transmit: Transmit,
    keep?: (draft: RequestDraft) => Promise<void>,
  ): Promise<SentRequest> {
    const { draft, endpoint } = wanted
    const place = `${draft.method} ${draft.method === endpoint.method ? endpoint.url : draft.url}`
    return withFreshValues(wanted, transmit, keep, {
      areTaken: this.#taken.has(place),
      // Below ALL nothing is made whose answer may be lost twice.
      mayBeSilent: this.#rules.level === 'ALL',
      note: () => this.#taken.add(place),
    })
  }

  /** Undoes what is still to be undone, the last first; what was made stays where only changes are undone. */
  async settle(send: SendDraft, which: UndoneWrites = 'all'): Promise<void> {
    this.#standIns.clear()
    this.#guesses.forget()
    const undone = this.#open.filter(({ kind }) => which === 'all' || kind !== 'CREATE')
    this.#open.splice(0)
    for (const write of undone.reverse()) {
      if (write.kind === 'CHANGE' && !this.#release(write)) continue
      const { keeper } = this.#rules
      try {
        const problem = await undoWrite(write.kind === 'CREATE' ? this.#own.last(write) : write, send)
        await (problem === null ? keeper.done(write.id) : keeper.postpone(write.id, problem))
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        await keeper.postpone(write.id, `the target did not answer (${error.code})`)
      }
    }
  }

  #release({ url }: PendingChange): boolean {
    const held = this.#held.get(url)
    if (held === undefined) return true
    held.holders--
    if (held.holders === 0) this.#held.delete(url)
    return held.holders === 0
  }

  /** What an answer says that a request made, as far as it can be deleted. */
  #madeBy(wanted: WantedWrite, exchange: Exchange): string[] {
    return madeUrls(wanted, exchange).filter((url) => isDeletable(this.#rules.lookups, wanted, url))
  }

  /** Whether a request makes something that can be found and deleted afterwards. */
  #isCreating(wanted: WantedWrite): boolean {
    const { draft, endpoint, sample } = wanted
    const parent = draft.url.replace(/\/$/, '')
    const isAlike = sample !== null && sample.request.method === draft.method
    if (isAlike && this.#madeBy(wanted, sample).length > 0) return true
    if (wanted.madeIn !== undefined) return false
    return (
      effectOf(draft) === 'post' &&
      this.#rules.lookups.isKnownEndpoint(endpoint.collectionId, 'GET', parent) &&
      LIKELY_IDS.some((id) => isDeletable(this.#rules.lookups, wanted, `${parent}/${id}`))
    )
  }

  async #create(wanted: WantedWrite, transmit: Transmit, send: SendDraft): Promise<SentRequest> {
    const { draft, sample } = wanted
    const listed = await this.#listedAt(draft.url, wanted, send)
    const isNamed = sample?.request.method === draft.method && createdUrls(sample).length > 0
    if (!isNamed && listed === null && this.#rules.level !== 'ALL')
      throw refused(draft, 'neither its answer nor a list names what it makes, so it could not be deleted')
    const write: PendingCreation = { ...this.#write(wanted), kind: 'CREATE', created: null, listed }
    await this.#rules.keeper.keep(write)
    let open: PendingCreation = write
    try {
      const sent = await this.#fresh(wanted, transmit, async (fresh) => {
        open = { ...write, callers: [...write.callers.slice(0, -1), keptDraft(fresh)] }
        await this.#rules.keeper.keep(open)
      })
      const urls = this.#madeBy(wanted, sent.exchange)
      const isNew = (url: string): boolean =>
        write.listed?.includes(url.split('/').at(-1)!) !== true && !wasThere(url, wanted.related)
      const { status } = sent.exchange.response
      // An error may come after the object was stored: then only the list knows.
      const isUnknown = urls.length === 0 && (status < 400 || status >= 500)
      open = { ...open, created: isUnknown && write.listed !== null ? null : urls.filter(isNew) }
      this.#own.hold(open.created ?? [])
      if (open.created !== null && open.created.length > 0) await this.#rules.keeper.keep(open)
      return sent
    } finally {
      this.#open.push(open)
    }
  }

  /** Identifiers in a list, as the recorded user sees it; null where it cannot be read. */
  async #listedAt(url: string, { endpoint, start }: WantedWrite, send: SendDraft): Promise<string[] | null> {
    const { lookups } = this.#rules
    if (!lookups.isKnownEndpoint(endpoint.collectionId, 'GET', url)) return null
    try {
      return listedIds(await send(bareDraft(start, 'GET', url)))
    } catch (error) {
      if (!(error instanceof Failure) || error.code === 'SEND_STOPPED') throw error
      return null
    }
  }

  async #change(wanted: WantedWrite, transmit: Transmit, send: SendDraft): Promise<SentRequest> {
    const { draft } = wanted
    // What was made for the tests goes as a whole; a value that is taken may be that of the recorded object.
    if (this.#own.has(draft.url)) return this.#fresh(wanted, transmit)
    const isAll = this.#rules.level === 'ALL'
    const held = this.#held.get(draft.url)
    if (held !== undefined) {
      if (!this.#open.includes(held.write)) {
        held.holders++
        this.#open.push(held.write)
      }
      const doubt = isAll ? null : irreversible(wanted, held.write.before)
      if (doubt !== null) throw refused(draft, doubt)
      return transmit(draft)
    }
    const { before, readUrl } = await stateBefore(wanted, this.#rules.lookups, send)
    const isPost = draft.method === 'POST'
    const adds = isPost && before !== null && (isWrappedList(before) || this.#makesOne(wanted))
    const makes = before?.kind === 'absent' || adds
    const staysMade = makes && !isDeletable(this.#rules.lookups, wanted, draft.url)
    const doubt = staysMade ? 'what it makes could not be deleted' : irreversible(wanted, before)
    if (doubt !== null && !isAll) throw refused(draft, doubt)
    // What a recorded POST made may be there already, under values that nothing else may have.
    if (before === null || (isPost && staysMade))
      return isPost ? this.#fresh(wanted, transmit) : transmit(draft)
    const write: PendingChange = { ...this.#write(wanted), kind: 'CHANGE', before, readUrl }
    await this.#rules.keeper.keep(write)
    this.#held.set(draft.url, { write, holders: 1 })
    this.#open.push(write)
    return transmit(draft)
  }

  /** Whether the recorded answer names an object that can be read: what is read at the list is the newest one. */
  #makesOne({ endpoint, sample }: WantedWrite): boolean {
    const isReadable = (url: string): boolean =>
      this.#rules.lookups.isKnownEndpoint(endpoint.collectionId, 'GET', url)
    return sample?.request.method === 'POST' && createdUrls(sample).some(isReadable)
  }

  /** Sends a request to a URL that was made up; what a PUT makes there is deleted. */
  async #sendInvented(wanted: WantedWrite, transmit: Transmit): Promise<SentRequest> {
    const { draft, endpoint } = wanted
    if (draft.method !== 'PUT' || !this.#rules.undoes) return transmit(draft)
    const isKnown = (method: string): boolean =>
      this.#rules.lookups.isKnownEndpoint(endpoint.collectionId, method, draft.url)
    if (isKnown('PUT') && !isKnown('DELETE') && this.#rules.level !== 'ALL')
      throw refused(draft, 'what it makes could not be deleted')
    const write: PendingChange = { ...this.#write(wanted), kind: 'CHANGE', before: { kind: 'absent' } }
    await this.#rules.keeper.keep(write)
    const sent = await transmit(draft)
    const { status } = sent.exchange.response
    if (status >= 300 && status < 500) await this.#rules.keeper.done(write.id)
    else this.#open.push(write)
    return sent
  }

  async #remove({ draft, start }: WantedWrite, transmit: Transmit, send: SendDraft): Promise<SentRequest> {
    if (!this.#own.has(draft.url)) {
      if (this.#rules.level !== 'ALL') throw refused(draft, 'what it deletes could not be brought back')
      const before = await readState(draft.url, [start, draft], send)
      if (before?.kind === 'absent' && !this.#deleted.has(draft.url))
        throw new Failure('WRITE_IS_STALE', { method: draft.method, url: draft.url })
    }
    const sent = await transmit(draft)
    this.#deleted.add(draft.url)
    // The next request that writes gets another one.
    for (const made of this.#standIns.values())
      if (made?.url === draft.url && sent.exchange.response.status < 300) made.isGone = true
    return sent
  }

  /**
   * Gives a recorded user another password, which is set back in any case. The user's sign-in must work before, and only
   * with the recorded password: else nothing shows what the request changed, nor that it is undone.
   */
  async #setPassword(wanted: WantedWrite, signIn: RequestDraft, transmit: Transmit): Promise<SentRequest> {
    const { draft } = wanted
    if (this.#rules.level !== 'ALL')
      throw refused(draft, 'the user may be signed out by it, so the old password could not be set back')
    const send = sendWith(transmit)
    if (!isRejected(await send(withSecret(signIn, `Wr0ng-${newHexId()}`))))
      throw refused(draft, 'the sign-in of its user does not reject a wrong password', true)
    if (!isSignedIn(await send(signIn)))
      throw refused(draft, 'the recorded password does not sign its user in any more', true)
    const write: PendingPassword = {
      ...this.#write(wanted),
      ...{ kind: 'PASSWORD', signIn: keptDraft(signIn) },
    }
    await this.#rules.keeper.keep(write)
    this.#open.push(write)
    return transmit(draft)
  }

  #write({ draft, start, deleter }: WantedWrite): Omit<PendingChange, 'kind' | 'before'> {
    const callers = [start, ...(deleter == null ? [] : [deleter]), draft].map(keptDraft)
    return { id: newHexId(), url: draft.url, callers, sentAtMs: nowMs() }
  }
}

/** Headers of a request with a body. */
const OF_BODY = /^content-/i
