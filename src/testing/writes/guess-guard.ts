import { Failure } from '../../kit/index.ts'
import { saysNo } from '../../rules/index.ts'
import type { RequestDraft } from '../attempts/index.ts'
import type { SentRequest } from '../run/tools.ts'
import type { SignUp } from './own-account.ts'
import { type SignIn, signInOf } from './sign-in.ts'
import type { Transmit, WantedWrite } from './wanted-write.ts'

/** Wrong secrets in a row that a recorded account gets: the strictest locks that are usual close at the third. */
const MOST_IN_ROW = 2
/** Wrong secrets that one test may send for an account: with more it would be guessing. */
const MOST_IN_TEST = 3

/** Wrong secrets in a row by account, of all tests of an execution in this process. */
export type WrongSecrets = Map<string, number>

/** What decides about guesses. */
interface GuessRules {
  /** The owner of the application agreed to whatever tests do. */
  readonly isAllowed: boolean
  readonly wrong: WrongSecrets
  /** Makes an account for the test; null where the application lets none be made that is removed again. */
  makeAccount(wanted: WantedWrite, transmit: Transmit): Promise<SignUp | null>
}

/**
 * Keeps the sign-ins of one test from locking recorded accounts: tests that guess get their own account, and
 * others may be wrong a few times only, with the right secret sent in between.
 */
export class GuessGuard {
  readonly #rules: GuessRules
  readonly #sent = new Map<string, number>()
  /** Of the test; null where none can be made, undefined before it was tried. */
  #own: SignUp | null | undefined

  constructor(rules: GuessRules) {
    this.#rules = rules
  }

  /**
   * Sends a request that only reads, among them sign-ins.
   * @throws Failure WRITE_NOT_REVERSIBLE for a guess that could lock a recorded account; codes of the sender
   */
  async send(wanted: WantedWrite, transmit: Transmit): Promise<SentRequest> {
    const { draft, start, guesses = false } = wanted
    const [said, right] = [signInOf(draft), signInOf(start)]
    if (said === null || right === null) return transmit(draft)
    const isWrong = said.secret !== right.secret
    if (isWrong && guesses) await this.#makeAccount(wanted, transmit)
    if (this.#own) return transmit(this.#own.signIn(draft))
    if (isWrong && !this.#rules.isAllowed) await this.#permit(wanted, said, right, transmit)
    return this.#counted(said, draft, transmit)
  }

  /** What was made is being removed: another guess needs another account. */
  forget(): void {
    this.#own = undefined
  }

  async #makeAccount(wanted: WantedWrite, transmit: Transmit): Promise<void> {
    if (this.#own === undefined) {
      this.#own = null
      this.#own = await this.#rules.makeAccount(wanted, transmit)
    }
    if (this.#own === null && !this.#rules.isAllowed)
      throw refused(wanted.draft, 'wrong secrets could lock the recorded account', NO_ACCOUNT)
  }

  /** @throws Failure WRITE_NOT_REVERSIBLE when one more wrong secret could lock an account */
  async #permit(wanted: WantedWrite, said: SignIn, right: SignIn, transmit: Transmit): Promise<void> {
    const { draft, start } = wanted
    const sent = this.#sent.get(said.account) ?? 0
    if (sent >= MOST_IN_TEST)
      throw refused(draft, `more than ${MOST_IN_TEST} wrong secrets could lock the account`, NO_ACCOUNT)
    // Only a right secret makes an application forget the wrong ones.
    const isFull = (this.#rules.wrong.get(said.account) ?? 0) >= MOST_IN_ROW
    if (isFull && said.account === right.account) await this.#counted(right, start, transmit)
    if (isFull && (this.#rules.wrong.get(said.account) ?? 0) > 0 && said.account === right.account)
      throw refused(draft, 'the recorded sign-in does not work any more', 'and wrong ones could lock it')
    this.#sent.set(said.account, sent + 1)
  }

  async #counted({ account }: SignIn, draft: RequestDraft, transmit: Transmit): Promise<SentRequest> {
    const sent = await transmit(draft)
    const { status, body } = sent.exchange.response
    const isWelcome = status < 400 && !saysNo(body)
    this.#rules.wrong.set(account, isWelcome ? 0 : (this.#rules.wrong.get(account) ?? 0) + 1)
    return sent
  }
}

const NO_ACCOUNT = 'and no sign-up is recorded whose account is deleted again'

function refused({ method, url }: RequestDraft, why: string, and: string): Failure {
  return new Failure('WRITE_NOT_REVERSIBLE', { method, url, reason: `${why}, ${and}` })
}
