import { headerValue } from '../../http/index.ts'
import { Failure } from '../../kit/index.ts'
import { type ShortPattern, shortPattern } from '../../kit/short-pattern.ts'
import type { CapturedExchange } from '../browser/capture.ts'
import { LOGIN_CAUSE } from '../browser/crawl-guard.ts'
import type { DriverContext } from '../browser/driver.ts'
import { libraryPageOf } from '../browser/running-browser.ts'
import type { BrowserSession } from '../browser/session.ts'
import type { TakeCodeStep } from '../login/one-time-code.ts'
import { FlowError } from './flow-error.ts'
import { playSteps } from './play-recording.ts'
import type { HeaderCopy, Recording } from './recording.ts'
import { tokenOfPage } from './token-of-page.ts'

/** What a recorded login yields. Holds secrets. */
export interface PlayedLogin {
  /** Value of the command; '' without one. */
  readonly token: string
  readonly session: BrowserSession
  /** Local storage of the last page, and headers that were copied, by name. */
  readonly values: Readonly<Record<string, string>>
  /** URL of the last page. */
  readonly landedOn: string
}

/** Pictures of a login that is being played. */
export interface LoginPictures {
  /** PNG; secrets in boxes are covered. */
  took(picture: Uint8Array): void
}

const MAX_PICTURES = 60
const QUIET = { quietMs: 300, capMs: 5000 }

/** Copies headers of requests of a context, as they are captured. */
export class HeaderCopies {
  readonly #copies: readonly { readonly copy: HeaderCopy; readonly pattern: ShortPattern }[]
  readonly values = new Map<string, string>()

  constructor(copies: readonly HeaderCopy[]) {
    this.#copies = copies.map((copy) => ({ copy, pattern: shortPattern(copy.urlPattern) }))
  }

  captured({ url, exchange }: CapturedExchange): void {
    for (const { copy, pattern } of this.#copies) {
      const value = headerValue(exchange.request.headers, copy.name)
      if (value !== undefined && pattern.test(url)) this.values.set(copy.saveAs, value)
    }
  }
}

/**
 * Plays a recorded login in a context and leaves the context signed in, without pages.
 *
 * @param command yields the token; null when there is none
 * @throws FlowError with a sentence for people; Failure of the browser
 */
export async function playRecording(
  recording: Recording,
  command: string | null,
  deps: {
    readonly context: DriverContext
    readonly copies: HeaderCopies
    readonly pictures: LoginPictures | null
    /** Keeps one-time codes from being typed twice. */
    readonly takeCodeStep: TakeCodeStep
    readonly signal: AbortSignal
  },
): Promise<PlayedLogin> {
  const { context, copies, pictures, takeCodeStep, signal } = deps
  const page = await context.newPage()
  page.cause = LOGIN_CAUSE
  let taken = 0
  const shown = async (): Promise<void> => {
    if (pictures === null || taken++ >= MAX_PICTURES || page.isClosed) return
    try {
      pictures.took(await page.screenshot({ secrets: recording.secrets }))
    } catch (error) {
      // A page on its way to another cannot be shown; the next picture shows where it went.
      if (!(error instanceof Failure)) throw error
    }
  }
  try {
    const library = await libraryPageOf(page.id)
    if (library === null) throw new FlowError(0, 'the page was closed before the first step')
    await playSteps(recording, { page, library }, shown, takeCodeStep, signal)
    await page.quiet(QUIET)
    const before = await context.session()
    const token = command === null ? '' : await tokenOfPage(page, command, before.cookies, recording.secrets)
    const session = await context.session()
    return { token, session, values: valuesOf(session, page.url, copies), landedOn: page.url }
  } finally {
    await page.close()
  }
}

function valuesOf(session: BrowserSession, url: string, copies: HeaderCopies): Record<string, string> {
  const origin = URL.canParse(url) ? new URL(url).origin : ''
  const values: Record<string, string> = Object.create(null)
  for (const [name, value] of session.storage.find((one) => one.origin === origin)?.local ?? [])
    values[name] = value
  for (const [name, value] of copies.values) values[name] = value
  return values
}
