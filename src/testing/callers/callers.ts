import type { Exchange } from '../../http/index.ts'
import { type CallerTrait, credentialTraits, selfTraits, signInTraits } from './caller-traits.ts'

/** Kinds of traits in the order in which they name a person. */
const NAMING = ['email', 'name', 'subject', 'id', 'secret'] as const

/**
 * The people behind recorded credentials. Two credentials belong to the same person when their claims, the sign-ins that
 * gave them out, or answers to "who am I" say so. What was learned in another order says the same.
 */
export class Callers {
  readonly #namesIn: (exchange: Exchange) => readonly string[]
  readonly #parents = new Map<string, string>()
  readonly #values = new Map<string, CallerTrait>()
  /** Best trait and values of each person; made when somebody asks, and dropped when something is learned. */
  #people: ReadonlyMap<string, Person> | null = null
  readonly #traits = new WeakMap<Exchange, readonly CallerTrait[]>()
  /** Credentials of requests that were seen. */
  readonly #used = new Set<string>()
  /**
   * To whom texts were given by sign-ins that no request was seen to use: a greeting or the name of a tenant is given to
   * many people, so only a text that is used as a credential says who somebody is.
   */
  readonly #given = new Map<string, CallerTrait[]>()

  /** @param namesIn names of headers and cookies of a request that carry credentials, in lower case */
  constructor(namesIn: (exchange: Exchange) => readonly string[]) {
    this.#namesIn = namesIn
  }

  /** Learns who sent a request, and what its answer says of people. */
  learn(exchange: Exchange): void {
    const own = this.#traitsOf(exchange)
    if (own.length > 0) this.#join([...own, ...selfTraits(exchange)])
    this.learnSignIn(exchange, false)
  }

  /**
   * Learns from a sign-in whose the credentials are that it gave out.
   * @param isKnown false: only where the request looks like one
   */
  learnSignIn(exchange: Exchange, isKnown = true): void {
    const signIn = signInTraits(exchange, isKnown)
    if (signIn === null) return
    this.#join(signIn.person)
    const person = signIn.person[0]!
    for (const secret of signIn.secrets) {
      if (this.#used.has(secret.text)) this.#join([person, secret])
      else this.#given.set(secret.text, [...(this.#given.get(secret.text) ?? []), person])
    }
  }

  /** The person who sent a request: the same text for the same person; '' for a request without credentials. */
  ownerOf(exchange: Exchange): string {
    const [first] = this.#traitsOf(exchange)
    return first === undefined ? '' : this.#personOf(first).key
  }

  /** What the person is called in messages: ids, names and addresses, none of them secret. */
  valuesOf(exchange: Exchange): ReadonlySet<string> {
    const [first] = this.#traitsOf(exchange)
    return first === undefined ? new Set() : this.#personOf(first).values
  }

  /** Whether a text is what another person than the sender of a request is called. */
  namesAnother(exchange: Exchange, text: string): boolean {
    const own = this.ownerOf(exchange)
    this.#people ??= this.#gathered()
    return [...this.#people.values()].some(({ key, values }) => key !== own && values.has(text))
  }

  #traitsOf(exchange: Exchange): readonly CallerTrait[] {
    const known = this.#traits.get(exchange)
    if (known !== undefined) return known
    const traits = credentialTraits(exchange, this.#namesIn(exchange))
    this.#traits.set(exchange, traits)
    for (const trait of traits) if (trait.kind === 'secret') this.#use(trait)
    return traits
  }

  /** A credential is used: it belongs to the person who was given it. */
  #use(secret: CallerTrait): void {
    if (this.#used.has(secret.text)) return
    this.#used.add(secret.text)
    for (const person of this.#given.get(secret.text) ?? []) this.#join([person, secret])
    this.#given.delete(secret.text)
  }

  #join(traits: readonly CallerTrait[]): void {
    const [first] = traits
    if (first === undefined) return
    for (const trait of traits) {
      if (!this.#values.has(trait.text)) this.#people = null
      this.#values.set(trait.text, trait)
      const [one, other] = [this.#rootOf(first.text), this.#rootOf(trait.text)]
      if (one === other) continue
      this.#parents.set(one, other)
      this.#people = null
    }
  }

  #rootOf(text: string): string {
    let root = text
    for (let next = this.#parents.get(root); next !== undefined; next = this.#parents.get(root)) root = next
    if (root !== text) this.#parents.set(text, root)
    return root
  }

  #personOf(trait: CallerTrait): Person {
    this.#people ??= this.#gathered()
    return this.#people.get(this.#rootOf(trait.text)) ?? { key: trait.text, values: new Set() }
  }

  #gathered(): ReadonlyMap<string, Person> {
    const people = new Map<string, Person>()
    const groups = Map.groupBy(this.#values.values(), ({ text }) => this.#rootOf(text))
    for (const [root, traits] of groups) {
      const best = traits.toSorted(
        (a, b) => NAMING.indexOf(a.kind) - NAMING.indexOf(b.kind) || (a.text < b.text ? -1 : 1),
      )
      const values = traits.flatMap(({ value }) => (value === '' ? [] : [value]))
      people.set(root, { key: best[0]!.text, values: new Set(values) })
    }
    return people
  }
}

interface Person {
  readonly key: string
  readonly values: ReadonlySet<string>
}
