import { detectDataTypes } from '../../data-types/index.ts'
import { headerValue } from '../../http/index.ts'
import { Sender, TargetScope } from '../../http/sender/index.ts'
import { EMPTY_LOOKUPS, type Lookups } from '../../rules/index.ts'
import {
  ATTACKER_ROLE,
  type CallbackListener,
  Callers,
  DefaultPages,
  type EndpointKey,
  FreshAnswers,
  isSkipped,
  type PairResult,
  probePaths,
  RunWrites,
  runPair,
  runTools,
  SampleShelf,
  type SigningKeys,
  type Template,
  type TestRoleView,
  type WriteLevel,
} from '../../testing/index.ts'
import { namesIn, RunCredentials } from '../test-runs/run-credentials.ts'
import { type AnsweringServer, startAnsweringServer } from './answering-server.ts'
import type { TemplateCase } from './case-file.ts'
import { exchangeOf } from './exchange-text.ts'

/** What all cases share. */
export interface CaseDeps {
  readonly callback: CallbackListener
  readonly keys: SigningKeys
  readonly templates: ReadonlyMap<string, Template>
  /** ALL unless given; what is written is undone only below it. */
  readonly writeLevel?: WriteLevel
}

const NO_KEEPER = {
  keep: () => Promise.resolve(),
  done: () => Promise.resolve(),
  postpone: () => Promise.resolve(),
}
const VARIABLE_PART = /^(?:INTEGER|STRING|FLOAT|OBJECT_ID|UUID)$/

/** Runs a template against the server of a case, as a test run does. */
export async function runCase(template: Template, one: TemplateCase, deps: CaseDeps): Promise<PairResult> {
  const server = await startAnsweringServer(one, new URL(deps.callback.url).origin)
  const host = new URL(server.origin).host
  const sender = new Sender({
    scope: new TargetScope([host]),
    requestsPerMinute: 0,
    verifiesTls: false,
    audit: () => {},
  })
  try {
    const { samples, endpoint } = recorded(one, server)
    const callers = new Callers(namesIn)
    if (one.signIn !== undefined)
      for (const sample of samples.everyOf(endpoint.collectionId)) callers.learn(sample)
    const credentials = new RunCredentials(rolesOf(one))
    const defaultPages = await learnPages(sender, server.origin)
    const purpose = { kind: 'test', runId: null, summaryId: null, testId: null, user: null } as const
    const tools = runTools(
      {
        samples,
        callers,
        templates: deps.templates,
        sender,
        purpose,
        credentialsFor: (key, sample) => credentials.sourceFor(key, sample),
        lookups: lookupsOf(one, deps.callback),
        callback: deps.callback,
        keys: deps.keys,
        defaultPages,
        freshAnswers: new FreshAnswers(),
        callbackPatienceMs: 300,
        words: new Map(),
        // The server of a case forgets everything: nothing needs to be undone.
        writes: new RunWrites({
          level: deps.writeLevel ?? 'ALL',
          undoes: deps.writeLevel === 'REVERSIBLE',
          keeper: NO_KEEPER,
          lookups: lookupsOf(one, deps.callback),
        }),
      },
      AbortSignal.timeout(25_000),
    )
    const result = await runPair(template, endpoint, tools)
    if (server.fault() === null) return result
    throw new Error('the case cannot be answered')
  } catch (error) {
    // What is wrong with the rules explains why requests got no answer.
    throw server.fault() ?? error
  } finally {
    await sender.close()
    await server.close()
  }
}

/** The outcome in the words of cases. */
export function wordOf({ outcome }: PairResult): string {
  if (isSkipped(outcome)) return 'skipped'
  return /^(?:VULNERABLE|SECURE|UNCONFIRMED)$/.test(outcome) ? outcome.toLowerCase() : outcome
}

/** What was sent and answered, for the message of a failed case. */
export function storyOf(result: PairResult): string {
  const records = [...result.attempts, ...(result.control?.attempt ? [result.control.attempt] : [])]
  const lines = records.map(({ step, exchange: { request, response }, validates }) =>
    [
      `${step} ${request.method} ${request.target} ${request.body.slice(0, 300)}`,
      `→ ${response.status} ${headerValue(response.headers, 'content-type') ?? ''}`,
      `${response.body.slice(0, 300)} validates: ${validates}`,
    ].join(' '),
  )
  return [`${result.outcome}: ${result.explanation}`, ...lines].join('\n')
}

function recorded(
  one: TemplateCase,
  server: AnsweringServer,
): { samples: SampleShelf; endpoint: EndpointKey } {
  const sample = exchangeOf(one.sample)
  const { pathname } = new URL(sample.request.target)
  const endpoint = { collectionId: 1, method: sample.request.method, url: one.endpoint ?? pathname }
  const samples = new SampleShelf()
  samples.put(endpoint, sample, ...(one.own === undefined ? [] : [exchangeOf(one.own)]))
  if (one.signIn !== undefined) {
    const signIn = exchangeOf(one.signIn)
    const { method, target } = signIn.request
    samples.put({ ...endpoint, method, url: new URL(target).pathname }, signIn)
  }
  samples.redirect(server.origin)
  return { samples, endpoint }
}

function rolesOf(one: TemplateCase): TestRoleView[] {
  const all = { ...one.roles, ...(one.attacker === undefined ? {} : { [ATTACKER_ROLE]: one.attacker }) }
  return Object.entries(all).map(([name, headers]) => ({
    id: name,
    name,
    groupId: '',
    isSystem: false,
    andConditions: null,
    orConditions: null,
    scopeRoles: null,
    createdBy: '',
    createdAt: 0,
    updatedBy: null,
    credentials: [
      {
        headerPairs: {},
        urlRegex: null,
        mechanism: {
          type: 'HARDCODED',
          parameters: Object.entries(headers).map(([key, value]) => ({ where: 'HEADER', key, value })),
        },
      },
    ],
  })) as unknown as TestRoleView[]
}

function lookupsOf(one: TemplateCase, callback: CallbackListener): Lookups {
  return {
    ...EMPTY_LOOKUPS,
    privateValuesOf: (_endpoint, sample) => [
      ...Object.entries(one.private ?? {}).map(([key, value]) => ({ key, value: String(value) })),
      ...pathValuesOf(one.endpoint ?? '', new URL(sample.url).pathname),
    ],
    fieldsOf: () => one.fields ?? [],
    quotedAmountsOf: (_endpoint, names) =>
      (one.quoted ?? []).filter((key) => names.test(key)).map((key) => ({ key, value: '' })),
    rolesOf: () => one.matrix ?? [],
    guardedSiblingsOf: () => one.guarded ?? [],
    isUsedAnonymously: () => one.anonymous === true,
    functionUseOf: () => ({ users: 'unknown', word: '', isRefused: false, ...one.use }),
    functionsNear: () => ({ compared: 'none', beside: [], elsewhere: [], ...one.use }),
    isKnownEndpoint: (_collectionId, _method, url) =>
      (one.known ?? []).some((path) => new URL(url, 'http://recorded.test').pathname === path),
    matchesDataType: (name, key, value) =>
      (typeof value === 'string' || typeof value === 'number') &&
      detectDataTypes(String(value), { key, parentKey: '', location: 'RESPONSE_PAYLOAD' }).some(
        (type) => type.name === name.toUpperCase(),
      ),
    callbackHits: (id) => callback.hits(id),
  }
}

function pathValuesOf(template: string, path: string): { key: string; value: string }[] {
  const values = path.split('/')
  return template
    .split('/')
    .flatMap((part, i) => (VARIABLE_PART.test(part) ? [{ key: String(i), value: values[i] ?? '' }] : []))
}

async function learnPages(sender: Sender, origin: string): Promise<DefaultPages> {
  const purpose = { kind: 'probe', runId: null, summaryId: null, testId: null, user: null } as const
  const pages = new DefaultPages()
  let probes = 0
  const answers = await Promise.all(
    // No chance here: a path by chance may be one that the case answers.
    probePaths(() => `no-page-${probes++}`).map((path) =>
      sender.send(
        { method: 'GET', url: origin + path, headers: [], body: null },
        { followRedirects: true, signal: AbortSignal.timeout(5_000), purpose },
      ),
    ),
  )
  pages.learn(
    new URL(origin).host,
    answers.map(({ response }) => response),
  )
  return pages
}
