import { isIP } from 'node:net'
import { runConcurrency, runSeconds } from '../../contract/index.ts'
import {
  type AuditEntry,
  absoluteUrl,
  type Exchange,
  Sender,
  type SendPurpose,
  TargetScope,
} from '../../http/index.ts'
import { recordOutcomes } from '../../issues/index.ts'
import { nowMs, nowSeconds, type Sealer } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import {
  beginExecution,
  type CallbackPort,
  type ClaimedExecution,
  DefaultPages,
  type EndpointKey,
  executePairs,
  type FlowPlayer,
  FreshAnswers,
  findSuites,
  keepTemplateSources,
  lackResult,
  type PairResult,
  pairsToRepeat,
  planRun,
  probePaths,
  type RunMaterial,
  recordedPairs,
  recordResults,
  requestEditor,
  runTools,
  type SampleShelf,
  SecretMask,
  type SigningKeys,
} from '../../testing/index.ts'
import { CleanUp } from './clean-up.ts'
import { evidencePurpose } from './export-evidence.ts'
import { loadLookups } from './inventory-lookups.ts'
import { templatesOf } from './library.ts'
import { endpointsOf } from './run-endpoints.ts'
import { onlyOrigin, openIdentities } from './run-identities.ts'
import { loadSamples } from './sample-shelf.ts'
import { signIn } from './sign-in.ts'

/** Results of pairs left out that one statement writes. */
const LEFT_OUT_STATEMENT = 500

/** What executing needs of the installation. */
export interface RunGround {
  readonly store: Store
  readonly sealer: Sealer
  readonly keys: SigningKeys
  readonly callback: CallbackPort | null
  /** Listeners of this installation, `address:port`. */
  readonly own: readonly string[]
  /** Hosts and ranges that the operator allows beside those of the endpoints. */
  readonly allowed: readonly string[]
  readonly audit: (entry: AuditEntry) => void
  /** Whether certificates of targets must be valid. */
  readonly verifiesTls: boolean
  /** Requests a minute and host of one run; 0 sets no limit. */
  readonly requestsPerMinute: number
  /** Plays recorded logins; null where nothing does. */
  readonly player: FlowPlayer | null
  /** Tells what keeps roles of a run from acting, once each. */
  readonly note: (runId: string, trouble: string) => void
}

/** How an execution came to its end. */
export type RunEnd =
  | { readonly kind: 'done' | 'time up' | 'nothing to do' }
  /** `isRunDone`: the execution failed, and its run is not to blame. */
  | { readonly kind: 'failed'; readonly error: string; readonly isRunDone?: boolean }
  /** Stopped by a person or taken over; there is nothing to end. */
  | { readonly kind: 'let go' }

/**
 * Executes what was claimed, from the plan to the last result. Pairs that have a result are not run again.
 *
 * @param signal aborted when the execution was stopped or the process ends
 */
export async function executeRun(
  ground: RunGround,
  { run, execution, isResumed }: ClaimedExecution,
  signal: AbortSignal,
): Promise<RunEnd> {
  const { store, sealer } = ground
  const { endpoints, isOutOfScope } = await endpointsOf(store, run)
  if (isOutOfScope)
    return { kind: 'failed', error: 'All target collections are marked as out of testing scope' }
  if (endpoints.length === 0) return { kind: 'nothing to do' }
  const suites = await findSuites(store, run.configuration.suiteIds)
  const testIds =
    execution.override?.testIds ??
    (suites.length > 0 ? suites.flatMap((suite) => suite.testIds) : run.configuration.testIds)
  const templates = await templatesOf(store, [...new Set(testIds)])
  await keepTemplateSources(
    store,
    [...templates.values()].map(({ source }) => source),
  )
  await beginExecution(store, execution.id, { endpoints: endpoints.length, tests: templates.size })
  const samples = await loadSamples(store, endpoints)
  const override = execution.override?.overrideUrl ?? run.configuration.overrideUrl
  if (override !== null && override !== '') samples.redirect(override)
  const lookups = await loadLookups(
    store,
    [...new Set(endpoints.map((key) => key.collectionId))],
    ground.callback,
  )
  const purpose: SendPurpose = {
    kind: 'test',
    runId: run.id,
    summaryId: execution.id,
    testId: null,
    user: run.userLogin,
  }
  const hosts = hostsOf(endpoints, samples)
  const sender = new Sender({
    scope: new TargetScope(hosts, ground.own, ground.allowed),
    maxConcurrent: Math.max(run.maxConcurrent, runConcurrency.byDefault) * 2,
    requestsPerMinute: ground.requestsPerMinute,
    verifiesTls: ground.verifiesTls,
    audit: ground.audit,
  })
  const seconds = run.runSeconds > 0 ? Math.min(run.runSeconds, runSeconds.most) : runSeconds.byDefault
  const timeUp = AbortSignal.timeout(Math.max(1, execution.startedAt + seconds - nowSeconds()) * 1000)
  const until = AbortSignal.any([signal, timeUp])
  const identities = await openIdentities(
    {
      ...ground,
      note: (trouble) => ground.note(run.id, trouble),
      secrets: (values) => mask.learn(values),
    },
    { roleId: run.configuration.roleId, purpose, origin: onlyOrigin(samples) },
    hosts,
    until,
  )
  const { credentials } = identities
  const mask = new SecretMask(credentials.secrets)
  const material: RunMaterial = {
    samples,
    templates,
    sender,
    purpose,
    credentialsFor: (endpoint, sample) => credentials.sourceFor(endpoint, sample),
    sessions: credentials,
    edit: requestEditor(run.configuration.requestChanges),
    lookups,
    callback: ground.callback,
    keys: ground.keys,
    defaultPages: new DefaultPages(),
    freshAnswers: new FreshAnswers(),
    callbackPatienceMs: 5_000,
    words: new Map(),
  }
  const cleanUp = run.configuration.cleansUp ? new CleanUp({ sender, purpose, lookups, signal: until }) : null
  const record = async (results: readonly PairResult[]): Promise<void> => {
    await recordResults(store, execution.id, results, {
      mask,
      follow: recordOutcomes,
      seal: (text, resultId) => sealer.seal(text, evidencePurpose(resultId)),
    })
    await cleanUp?.after(results)
  }
  try {
    const tools = runTools(material, until)
    const refusal = await signIn(identities, templates.values(), endpoints, tools)
    if (refusal !== null) return { kind: 'failed', error: refusal, isRunDone: true }
    const plan = planRun(endpoints, [...templates.values()], tools, {
      roles: credentials.usable,
      hasCallbacks: ground.callback !== null,
    })
    const done = isResumed
      ? new Set((await recordedPairs(store, execution.id)).map(keyOf))
      : new Set<string>()
    const wanted =
      execution.originalId === null
        ? (execution.override?.pairs ?? null)
        : await pairsToRepeat(store, execution.originalId)
    const only = wanted === null ? null : new Set(wanted.map(keyOf))
    const isDue = (pair: { endpoint: EndpointKey; testId: string }): boolean => {
      const key = pairKey(pair)
      return !done.has(key) && (only === null || only.has(key))
    }
    await learnDefaultPages(material, until)
    await executePairs(plan.pairs.filter(isDue), {
      concurrency: run.maxConcurrent > 0 ? run.maxConcurrent : runConcurrency.byDefault,
      record,
      toolsWith: (pairSignal) => runTools(material, pairSignal),
      signal: until,
      templates,
    })
    const leftOut = plan.leftOut.filter(isDue).map((pair) => lackResult(pair, nowMs()))
    for (let at = 0; at < leftOut.length && !until.aborted; at += LEFT_OUT_STATEMENT)
      await record(leftOut.slice(at, at + LEFT_OUT_STATEMENT))
  } finally {
    await sender.close()
    await identities.close()
  }
  if (signal.aborted) return { kind: 'let go' }
  return { kind: timeUp.aborted ? 'time up' : 'done' }
}

function pairKey({ endpoint, testId }: { endpoint: EndpointKey; testId: string }): string {
  return `${testId} ${endpoint.collectionId} ${endpoint.method} ${endpoint.url}`
}

function keyOf(pair: { testId: string; collectionId: number; method: string; url: string }): string {
  return `${pair.testId} ${pair.collectionId} ${pair.method} ${pair.url}`
}

function hostsOf(endpoints: readonly EndpointKey[], samples: SampleShelf): Set<string> {
  const hosts = new Set<string>()
  for (const endpoint of endpoints) {
    const sample = samples.of(endpoint)
    if (sample === null) continue
    const url = absoluteUrl(sample.request)
    if (URL.canParse(url)) hosts.add(new URL(url).host)
  }
  return hosts
}

/** Asks every host for pages that nobody made; a host that does not answer is found out by its tests. */
export async function learnDefaultPages(material: RunMaterial, signal: AbortSignal): Promise<void> {
  const origins = new Set(
    material.samples.all().flatMap((sample: Exchange) => {
      const url = absoluteUrl(sample.request)
      return URL.canParse(url) ? [new URL(url).origin] : []
    }),
  )
  for (const origin of origins) {
    const paths = probePaths(() => Math.random().toString(36).slice(2, 14))
    const answers = await Promise.allSettled(
      paths.map((path) =>
        material.sender.send(
          { method: 'GET', url: origin + path, headers: [], body: null },
          { followRedirects: true, signal, purpose: { ...material.purpose, kind: 'probe' } },
        ),
      ),
    )
    const read = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.response] : []))
    material.defaultPages.learn(new URL(origin).host, read)
  }
}

/** `address:port` of a listener that is bound to all addresses as well as to one. */
export function ownListeners(host: string, port: number): string[] {
  const loopback = ['127.0.0.1', '::1'].map((address) => `${address}:${port}`)
  return isIP(host) === 0 || loopback.includes(`${host}:${port}`)
    ? loopback
    : [...loopback, `${host}:${port}`]
}
