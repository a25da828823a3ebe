import { expect } from 'vitest'
import type { Exchange } from '../../src/http/index.ts'
import {
  compileCondition,
  EMPTY_LOOKUPS,
  evaluate,
  type Lookups,
  MessageView,
  type Problem,
  readYaml,
  Variables,
} from '../../src/rules/index.ts'
import {
  type AttemptEnvironment,
  buildAttempts,
  draftOf,
  outgoingRequest,
  parseTemplate,
  provideDynamicLists,
  resolveWordLists,
  type Template,
} from '../../src/testing/index.ts'
import { attemptEnvironment } from '../attempt-environment.ts'
import { rawOutgoing, rawSample } from '../raw-sample.ts'
import { templateText } from '../template-text.ts'

/** The parts of a test that matter to a case. */
export type Parts = Parameters<typeof templateText>[0]

/** A request, and what it was answered with, where that matters. */
export interface Message {
  readonly request?: string
  readonly status?: number
  readonly response?: string
}

const REQUEST = 'GET /orders/7?user_id=7 HTTP/1.1\nhost: shop.test\n\n'

/** A POST of a JSON body. */
export function posted(body: string): string {
  return `POST /orders HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n${body}`
}

/** The exchange of a message. */
export function exchangeOf({ request = REQUEST, status = 200, response = '' }: Message): Exchange {
  const exchange = rawSample(request)
  const headers = ['content-type', 'application/json']
  return { ...exchange, response: { ...exchange.response, status, headers, body: response } }
}

/** Judges a condition on a sample, or on an attempt with the sample to compare with. */
export function judged(
  yaml: string,
  sample: Message,
  given: {
    attempt?: Message | null
    variables?: Variables
    lookups?: Partial<Lookups>
    final?: boolean
  } = {},
): { holds: boolean; variables: Variables } {
  const problems: Problem[] = []
  const condition = compileCondition(readYaml(yaml).root!, 'test', problems)
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  const variables = given.variables ?? new Variables()
  const attempt = given.attempt ?? null
  const { holds } = evaluate(condition!, {
    phase: attempt === null && given.final !== true ? 'filter' : 'validate',
    endpoint: { collectionId: 1, url: '/orders/INTEGER', method: 'GET' },
    sample: new MessageView(exchangeOf(sample)),
    attempt: attempt === null ? null : new MessageView(exchangeOf(attempt)),
    variables,
    lookups: { ...EMPTY_LOOKUPS, ...given.lookups },
  })
  return { holds, variables }
}

/** A test of these parts that must load. */
export function templateOf(parts: Parts): Template {
  const { template, problems } = parseTemplate(templateText(parts), 'case.yaml')
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([])
  return template!
}

/** What keeps a test of these parts from being loaded. */
export function refusalsOf(parts: Parts): { path: string; nearest: string | null }[] {
  const { template, problems } = parseTemplate(templateText(parts), 'case.yaml')
  expect(template).toBeNull()
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(({ place, nearest }) => ({ path: place.path, nearest }))
}

/** What the first step sends for a request, as texts; a failure is the only one then. */
export function sent(
  request: string,
  parts: Parts,
  captures: Readonly<Record<string, Parameters<Variables['capture']>[1]>> = {},
  changes: Partial<AttemptEnvironment> = {},
): string[] {
  const template = templateOf(parts)
  const sample = rawSample(request)
  const source = { own: sample, ofCollection: () => [sample] }
  const variables = new Variables(resolveWordLists(template.wordLists, source))
  for (const [name, value] of Object.entries(captures)) variables.capture(name, value)
  provideDynamicLists(template.wordLists, source, variables)
  const list = buildAttempts(
    template.execute.steps[0]!,
    draftOf(sample),
    attemptEnvironment(variables, changes),
  )
  return [...list].map((built) =>
    'failure' in built ? `failure: ${built.failure}` : rawOutgoing(outgoingRequest(built.draft)),
  )
}

/** The query, or the body, of each text that {@link sent} gave. */
export const queriesOf = (texts: readonly string[]): string[] =>
  texts.map((text) => /\?(\S*)/.exec(text)?.[1] ?? '')
export const bodiesOf = (texts: readonly string[]): string[] =>
  texts.map((text) => text.slice(text.indexOf('\n\n') + 2))
