import { expect, test } from 'vitest'
import { attemptEnvironment } from '../../../test/attempt-environment.ts'
import { rawSample } from '../../../test/raw-sample.ts'
import { templateText } from '../../../test/template-text.ts'
import { EMPTY_LOOKUPS, MessageView, Variables } from '../../rules/index.ts'
import { draftOf } from '../attempts/index.ts'
import { parseTemplate } from '../template/index.ts'
import type { Trial } from './judge.ts'
import { runFlow } from './run-flow.ts'
import type { RunTools } from './tools.ts'

const { template } = parseTemplate(
  templateText({
    type: 'multiple',
    requests: `    - req:
        - add_header: {x-usual: "1"}
        - validate: {response_code: {gte: 100}}
    - req:
        - add_header: {x-slow: "1"}
        - validate: {response_code: {gt: 999}}`,
    validate: '  compare_greater: ["${x2.response.stats.median_response_time}", 3900]',
  }),
  'slow.yaml',
)

const QUICK_MS = 10
const SLOW_MS = 4000

interface Application {
  /** Answers that wait, the slow ones only. */
  readonly waiting: ((responseTimeMs: number) => void)[]
  /** Runs the test on one endpoint. */
  test(url: string): Promise<{ validates: boolean; confirms: boolean | undefined }>
}

function application(): Application {
  const waiting: Application['waiting'] = []
  return {
    waiting,
    async test(url) {
      const exchange = rawSample(`GET ${url} HTTP/1.1\n\n`)
      const tools: Partial<RunTools> = {
        async send({ headers }) {
          const isSlow = headers.some(({ name }) => name === 'x-slow')
          const responseTimeMs = isSlow
            ? await new Promise<number>((resolve) => waiting.push(resolve))
            : QUICK_MS
          return { exchange, responseTimeMs, isTruncated: false }
        },
        environmentFor: (_template, _endpoint, variables) => attemptEnvironment(variables, {}),
        sampleOf: () => exchange,
        isDefaultPage: () => false,
        lookups: EMPTY_LOOKUPS,
      }
      const trial: Trial = {
        template: template!,
        endpoint: { collectionId: 1, method: 'GET', url },
        sample: new MessageView(exchange),
        start: draftOf(exchange),
        variables: new Variables(),
        tools: tools as RunTools,
        credentialNames: [],
      }
      const { validates, control } = await runFlow(trial)
      return { validates, confirms: control?.confirms }
    },
  }
}

/** Answers the next slow request. */
async function answerNext({ waiting }: Application, responseTimeMs: number): Promise<void> {
  await expect.poll(() => waiting.length).toBeGreaterThan(0)
  waiting.shift()!(responseTimeMs)
}

test('steps that are compared by their times must come out alike three times', async () => {
  const app = application()
  const proven = app.test('http://times.test/a')
  for (const time of [SLOW_MS, SLOW_MS, SLOW_MS]) await answerNext(app, time)
  expect(await proven).toEqual({ validates: true, confirms: true })
  const busyTwice = app.test('http://times.test/a')
  for (const time of [SLOW_MS, SLOW_MS, QUICK_MS]) await answerNext(app, time)
  expect(await busyTwice).toEqual({ validates: true, confirms: false })
})

test('two tests of times do not repeat their slow requests at once: one would take the delay of the other', async () => {
  const app = application()
  const tests = [app.test('http://busy.test/a'), app.test('http://busy.test/b')]
  await expect.poll(() => app.waiting.length).toBe(2)
  for (const answer of app.waiting.splice(0)) answer(SLOW_MS)
  // The first repeats twice, alone; only then the second repeats, and is quick.
  for (const time of [SLOW_MS, SLOW_MS, QUICK_MS]) {
    await expect.poll(() => app.waiting.length).toBe(1)
    await answerNext(app, time)
  }
  expect(await Promise.all(tests)).toEqual([
    { validates: true, confirms: true },
    { validates: true, confirms: false },
  ])
})
