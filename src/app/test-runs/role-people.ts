import type { Exchange } from '../../http/index.ts'
import { ATTACKER_ROLE, type Callers, type EndpointKey, sentAs } from '../../testing/index.ts'
import { namesIn, type RunCredentials } from './run-credentials.ts'

/** Roles that act for ordinary users in tests. */
const ORDINARY_ROLES = ['MEMBER', ATTACKER_ROLE]
/** Names of roles whose people administer the application. */
const ADMINISTRATORS = /admin|superuser|^root$/i
/** Recorded requests that a role is put into to find out who it is. */
const MAX_SAMPLES = 50

/** Whether a role is one of people who administer the application, by its name. */
export function isOfAdministrators(role: string): boolean {
  return ADMINISTRATORS.test(role)
}

/** The people whom the test roles of a run act as; empty until {@link learn} was called. */
export class RolePeople {
  readonly #ofRoles = new Map<string, Set<string>>()
  readonly #callers: Callers

  constructor(callers: Callers) {
    this.#callers = callers
  }

  /**
   * Finds out who the roles are.
   * @param samples recorded requests of the run
   */
  learn(
    credentials: RunCredentials,
    samples: Iterable<{ readonly endpoint: EndpointKey; readonly sample: Exchange }>,
  ): void {
    let tried = 0
    for (const { endpoint, sample } of samples) {
      if (namesIn(sample).length === 0) continue
      if (++tried > MAX_SAMPLES) return
      const source = credentials.sourceFor(endpoint, sample)
      for (const role of credentials.usable) {
        const parameters = source.parametersOf(role)
        const owner =
          parameters === null ? '' : this.#callers.ownerOf(sentAs(sample, parameters, source.authHeaderNames))
        if (owner === '') continue
        const people = this.#ofRoles.get(role) ?? new Set()
        this.#ofRoles.set(role, people.add(owner))
      }
    }
  }

  isAdministrator(person: string): boolean {
    for (const [role, people] of this.#ofRoles)
      if (isOfAdministrators(role) && people.has(person)) return true
    return false
  }

  /**
   * Whether somebody is an ordinary user: a role of tests acts as that person, or it is known who the administrators are
   * and that this is somebody else. Of a credential without a name nobody knows.
   */
  isOrdinary(person: string): boolean {
    if (this.isAdministrator(person)) return false
    if (ORDINARY_ROLES.some((role) => this.#ofRoles.get(role)?.has(person) === true)) return true
    const knowsAdministrators = [...this.#ofRoles.keys()].some(isOfAdministrators)
    const hasRole = [...this.#ofRoles.values()].some((people) => people.has(person))
    return knowsAdministrators && !hasRole && !person.startsWith('secret ')
  }
}
