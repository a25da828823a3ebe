import { Failure } from '../../kit/index.ts'
import { LOGIN_CAUSE } from '../browser/crawl-guard.ts'
import type { DriverContext, DriverPage } from '../browser/driver.ts'
import type { Authenticator, LoginResult } from './authenticator.ts'
import { type LoginView, successSigns } from './login-evidence.ts'
import {
  focusBox,
  followLink,
  LOGIN_SURVEY,
  type LoginBox,
  type LoginSurvey,
  PRESS_SUBMIT,
  repeatBox,
  settleBox,
} from './login-script.ts'
import { currentCode } from './one-time-code.ts'

/** What a form login goes by. */
export interface FormLoginOptions {
  /** Where the application begins. */
  readonly startUrl: string
  readonly username: string
  readonly password: string
  /** Secret of the second factor: base32, or an otpauth URI; null without one. */
  readonly totp?: string | null
  /** Pages to look for the form on before any other. */
  readonly loginUrls?: readonly string[]
}

/** Where applications have their login when nothing leads there. */
const USUAL_PLACES = [
  '/login',
  '/#/login',
  '/signin',
  '/sign-in',
  '/auth/login',
  '/account/login',
  '/users/sign_in',
  '/admin',
]
const QUIET = { quietMs: 300, capMs: 8000 }
const MAX_STEPS = 3
const MAX_TRIES = 2
/** How long an answer to the form may take to show. */
const ANSWER_ROUNDS = 20
const ROUND_MS = 250

type Attempt = { readonly kind: 'in' } | { readonly kind: 'refused' | 'unclear'; readonly text: string }

/** Finds the login form of an application on its own and fills it. */
export function formLogin(options: FormLoginOptions): Authenticator {
  return {
    name: `form login as ${options.username}`,
    async authenticate(context, signal) {
      const page = await context.newPage()
      page.cause = LOGIN_CAUSE
      try {
        return await new FormLogin(options, context, page, signal).run()
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        return { kind: 'failed', text: `The login broke off (${error.code}).`, mayRetry: true }
      } finally {
        await page.close()
      }
    },
  }
}

class FormLogin {
  readonly #options: FormLoginOptions
  readonly #context: DriverContext
  readonly #page: DriverPage
  readonly #signal: AbortSignal
  #calls = { refused: new Set<string>(), accepted: 0 }
  #isAnswered = false

  constructor(options: FormLoginOptions, context: DriverContext, page: DriverPage, signal: AbortSignal) {
    this.#options = options
    this.#context = context
    this.#page = page
    this.#signal = signal
    page.cdp.on('Network.responseReceived', (event) => {
      const { url, status } = event['response'] as { url: string; status: number }
      this.#isAnswered = true
      if (status === 401 || status === 403) this.#calls.refused.add(url)
      else if (status < 300 && this.#calls.refused.has(url)) this.#calls.accepted++
    })
  }

  async run(): Promise<LoginResult> {
    const page = this.#page
    if (!(await this.#findForm())) {
      const text = this.#isAnswered ? 'No login form was found.' : 'The application did not answer.'
      return { kind: 'failed', text, mayRetry: false }
    }
    const loginUrl = page.url
    let last: Attempt = { kind: 'unclear', text: '' }
    for (let attempt = 0; attempt < MAX_TRIES && !this.#signal.aborted; attempt++) {
      if (attempt > 0) await this.#open(loginUrl)
      last = await this.#tryOnce(attempt > 0)
      if (last.kind !== 'unclear') break
    }
    if (last.kind !== 'in')
      return {
        kind: 'failed',
        text: last.text === '' ? 'The login form did not let anybody in.' : last.text,
        mayRetry: false,
      }
    await page.quiet(QUIET)
    return {
      kind: 'logged in',
      session: await this.#context.session(),
      headers: {},
      landedOn: page.url,
      loginUrl,
    }
  }

  /** Opens the page with the form: one that was named, the start, what its links lead to, the usual places. */
  async #findForm(): Promise<boolean> {
    const { startUrl, loginUrls = [] } = this.#options
    let lonePassword: string | null = null
    for (const url of [...loginUrls, startUrl]) {
      const survey = await this.#open(url)
      if (isForm(survey)) return true
      if (survey?.hasPassword) lonePassword ??= url
      for (let index = 0; index < Math.min(3, survey?.loginLinks ?? 0); index++) {
        await this.#page.evaluate(followLink(index), { isolated: true, userGesture: true })
        if (isForm(await this.#quietSurvey())) return true
        await this.#open(url)
      }
    }
    for (const place of USUAL_PLACES) {
      // Who does not answer here does not answer there.
      if (this.#signal.aborted || !this.#isAnswered) return false
      const survey = await this.#open(new URL(place, startUrl).href)
      if (survey?.hasPassword) return true
    }
    return lonePassword !== null && (await this.#open(lonePassword)) !== null
  }

  async #open(url: string): Promise<LoginSurvey | null> {
    const page = this.#page
    // A change of the fragment alone would keep what the page shows.
    if (page.url.split('#')[0] === url.split('#')[0]) await page.goto('about:blank')
    const { problem, status } = await page.goto(url)
    return problem === null || (problem === 'deadline' && status !== null) ? this.#quietSurvey() : null
  }

  /** What the page shows once it is quiet; frameworks may need a moment more. */
  async #quietSurvey(): Promise<LoginSurvey | null> {
    for (let round = 0; round < 2; round++) {
      await this.#page.quiet(QUIET)
      const survey = await this.#survey()
      if (isForm(survey) || (survey?.loginLinks ?? 0) > 0 || round > 0) return survey
    }
    return null
  }

  async #survey(): Promise<LoginSurvey | null> {
    try {
      return await this.#page.evaluate<LoginSurvey>(LOGIN_SURVEY, { isolated: true })
    } catch (error) {
      if (error instanceof Failure && error.code === 'BROWSER_PAGE_CHANGED') return null
      throw error
    }
  }

  /** One time through all steps of the form. The second time the form is sent by the Enter key. */
  async #tryOnce(byKey: boolean): Promise<Attempt> {
    const { username, password } = this.#options
    const before = await this.#view()
    let survey = await this.#survey()
    for (let step = 0; step < MAX_STEPS && survey !== null; step++) {
      const filled = await this.#fill(survey, username, password)
      if (typeof filled === 'string') return { kind: 'refused', text: filled }
      await this.#submit(byKey)
      const next = await this.#answer(survey, before)
      if (next === 'in') return { kind: 'in' }
      if (next.errorText !== '')
        return { kind: 'refused', text: `The login was refused: “${next.errorText.slice(0, 150)}”.` }
      if (!isNextStep(survey, next)) return { kind: 'unclear', text: '' }
      survey = next
    }
    return { kind: 'unclear', text: '' }
  }

  /** Fills what is there; a sentence when something is asked for that is not known. */
  async #fill(survey: LoginSurvey, username: string, password: string): Promise<null | string> {
    if (survey.codeBoxes > 0 && !survey.hasPassword) {
      const { totp = null } = this.#options
      if (totp === null) return 'The login asks for a one-time code, and no secret for it is configured.'
      const code = currentCode(totp)
      if (survey.codeBoxes === 1) await this.#write('code[0]', code)
      else for (let i = 0; i < survey.codeBoxes; i++) await this.#write(`code[${i}]`, code[i] ?? '')
      return null
    }
    const boxes: (readonly [LoginBox, string])[] = []
    if (survey.hasUser) boxes.push(['user', username])
    if (survey.hasPassword) boxes.push(['password', password])
    for (const [box, value] of boxes) await this.#write(box, value)
    for (const [box, value] of boxes) await this.#repeat(box, value)
    return null
  }

  async #repeat(box: LoginBox, value: string): Promise<void> {
    try {
      await this.#page.evaluate(repeatBox(box, value), { isolated: true })
    } catch (error) {
      // Some forms are sent by the change of their last box.
      if (!(error instanceof Failure && error.code === 'BROWSER_PAGE_CHANGED')) throw error
    }
  }

  async #write(box: LoginBox, value: string): Promise<void> {
    const page = this.#page
    await page.evaluate(focusBox(box), { isolated: true })
    await page.input.type(value)
    await page.evaluate(settleBox(box, value), { isolated: true })
  }

  async #submit(byKey: boolean): Promise<void> {
    const page = this.#page
    const isPressed =
      !byKey &&
      (await page.evaluate<boolean>(PRESS_SUBMIT, { isolated: true, userGesture: true }).catch(() => true))
    if (!isPressed) await page.input.press('Enter')
  }

  /** What comes of the form: it let us in, or what is shown now. */
  async #answer(asked: LoginSurvey, before: LoginView): Promise<'in' | LoginSurvey> {
    let survey: LoginSurvey | null = null
    for (let round = 0; round < ANSWER_ROUNDS && !this.#signal.aborted; round++) {
      await this.#page.quiet({ quietMs: ROUND_MS, capMs: 3000 })
      survey = await this.#survey()
      if (survey === null) continue
      if (survey.errorText !== '') return survey
      if (isNextStep(asked, survey)) return survey
      const isForeign = survey.hasPassword || survey.codeBoxes > 0
      const signs = successSigns(before, await this.#view(survey), this.#calls.accepted)
      if (!isForeign && signs.length >= 2) return 'in'
    }
    return survey ?? asked
  }

  async #view(survey?: LoginSurvey): Promise<LoginView> {
    const seen = survey ?? (await this.#survey())
    return {
      url: this.#page.url,
      // A form of several steps shows its password box later.
      hasPassword: survey === undefined ? true : (seen?.hasPassword ?? false),
      session: await this.#context.session(),
    }
  }
}

/**
 * A box for a password, or the first step of a form that asks for it later. A password box on its own is not a login yet:
 * pages also ask for passwords to be changed or confirmed.
 */
function isForm(survey: LoginSurvey | null): boolean {
  if (survey === null) return false
  const { hasUser, hasPassword, hasSubmit } = survey
  return hasPassword ? hasUser || hasSubmit : hasUser && hasSubmit
}

/** The password, or the code, is asked for that was not asked for before. */
function isNextStep(before: LoginSurvey, after: LoginSurvey): boolean {
  return (
    (after.hasPassword && !before.hasPassword) ||
    (after.codeBoxes > 0 &&
      !after.hasPassword &&
      (before.hasPassword || before.hasUser) &&
      before.codeBoxes === 0)
  )
}
