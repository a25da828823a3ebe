import type { Runner, Step, UserFlow } from '@puppeteer/replay'
import type { Browser, Page } from 'puppeteer-core'
import { Failure } from '../../kit/index.ts'
import type { DriverPage } from '../browser/driver.ts'
import { withDeadline } from '../browser/with-deadline.ts'
import { type TakeCodeStep, unusedCode } from '../login/one-time-code.ts'
import { FlowError, withoutSecrets } from './flow-error.ts'
import type { Recording } from './recording.ts'
import { type CodeOf, codesOfPlay, typedValue } from './typed-value.ts'

/** What the steps are played on. */
interface Stage {
  readonly page: DriverPage
  /** The same page, and its browser, in the terms of the library that replays. */
  readonly library: { readonly browser: Browser; readonly page: Page }
}

/** Milliseconds for a step that says nothing else, and at most. */
const STEP_MS = 15_000
const MAX_STEP_MS = 60_000
/** How long a navigation that the recorder saw may take to come; it may as well not come at all. */
const NAVIGATION_MS = 5000
const SETTLE = { quietMs: 100, capMs: 2000 }

/**
 * Plays the steps of a recording, each within its time. Of several selectors of a step the first that finds something
 * is taken; a navigation that the recorder saw is waited for, but may be left out.
 *
 * @param shown hears after each step, and once more when one failed
 * @param take keeps one-time codes from being typed twice
 * @throws FlowError with the step that failed
 */
export async function playSteps(
  { flow, totp, secrets }: Recording,
  stage: Stage,
  shown: () => Promise<void>,
  take: TakeCodeStep,
  signal: AbortSignal,
): Promise<void> {
  const { createRunner, PuppeteerRunnerExtension } = await import('@puppeteer/replay')
  let number = 0
  // The library describes pages of the package puppeteer; those of puppeteer-core are the same.
  const { browser, page } = stage.library as unknown as ConstructorParameters<
    typeof PuppeteerRunnerExtension
  > extends [infer B, infer P, ...unknown[]]
    ? { browser: B; page: P }
    : never
  class Player extends PuppeteerRunnerExtension {
    override async runStep(step: Step, whole?: UserFlow): Promise<void> {
      number++
      signal.throwIfAborted()
      await playStep(step, (played) => super.runStep(played, whole))
    }
  }
  const codeOf = codesOfPlay((secret) => unusedCode(secret, take, signal))
  const playStep = async (step: Step, play: (step: Step) => Promise<void>): Promise<void> => {
    const timeout = Math.min(step.timeout ?? flow.timeout ?? STEP_MS, MAX_STEP_MS)
    const { assertedEvents = [], ...rest } = step
    const ready = await readyStep({ ...rest, timeout } as Step, totp, codeOf)
    const moved = assertedEvents.length > 0 ? nextNavigation(stage.page) : null
    try {
      await withDeadline(play(ready), timeout + 2000, step.type)
      await moved?.within(NAVIGATION_MS)
      await stage.page.quiet(SETTLE)
    } catch (error) {
      await shown()
      throw new FlowError(number, sentenceOf(number, flow.steps.length, step, error, secrets), {
        cause: error,
      })
    } finally {
      moved?.end()
    }
    await shown()
  }
  const runner: Runner = await createRunner(flow, new Player(browser, page, { timeout: STEP_MS }))
  await runner.run()
}

/** The step with the one-time code in the place of what stands for it. */
async function readyStep(step: Step, totp: string | null, codeOf: CodeOf): Promise<Step> {
  if (step.type === 'change') return { ...step, value: await typedValue(step.value, totp, codeOf) }
  if (step.type === 'keyDown' || step.type === 'keyUp')
    return { ...step, key: (await typedValue(step.key, totp, codeOf)) as typeof step.key }
  return step
}

/** Waits for the next navigation from now on. */
function nextNavigation(page: DriverPage): { within(ms: number): Promise<void>; end(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const end = page.on('navigated', () => resolve())
  return {
    async within(ms) {
      const timer = setTimeout(resolve, ms)
      await promise
      clearTimeout(timer)
    },
    end,
  }
}

function sentenceOf(
  number: number,
  steps: number,
  step: Step,
  error: unknown,
  secrets: readonly string[],
): string {
  const reason =
    error instanceof Failure && error.code === 'BROWSER_TIMED_OUT'
      ? 'it did not end in time'
      : /timeout|timed out/i.test(error instanceof Error ? error.message : '')
        ? 'the element was not found in time'
        : error instanceof Error
          ? (error.message.split('\n')[0] ?? '')
          : String(error)
  const where = 'selectors' in step ? ` ${selectorText(step.selectors)}` : ''
  return withoutSecrets(`step ${number} of ${steps} (${step.type}${where}) failed: ${reason}`, secrets)
}

function selectorText(selectors: readonly (string | readonly string[])[]): string {
  const [first] = selectors
  return (typeof first === 'string' ? first : (first ?? []).join(' ')).slice(0, 100)
}
