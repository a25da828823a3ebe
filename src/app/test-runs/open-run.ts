import { runConcurrency, runSeconds } from '../../contract/index.ts'
import { Sender, type SendPurpose, TargetScope } from '../../http/index.ts'
import { nowSeconds } from '../../kit/index.ts'
import {
  beginExecution,
  type ClaimedExecution,
  DefaultPages,
  type EndpointKey,
  FreshAnswers,
  findSuites,
  keepTemplateSources,
  type PairResult,
  RunGate,
  type RunMaterial,
  recordResults,
  requestEditor,
  runTools,
  SecretMask,
  type Template,
} from '../../testing/index.ts'
import { recordFindings } from '../alerts/record-findings.ts'
import { ownMark } from '../own-mark.ts'
import { openMatrix, withMatrix } from './access-matrix.ts'
import { CleanUp } from './clean-up.ts'
import { hostsOf, learnDefaultPages, type RunGround } from './execute-run.ts'
import { evidencePurpose } from './export-evidence.ts'
import { loadLookups } from './inventory-lookups.ts'
import { templatesOf } from './library.ts'
import { endpointsOf } from './run-endpoints.ts'
import { onlyOrigin, openIdentities } from './run-identities.ts'
import { loadSamples } from './sample-shelf.ts'
import { signIn } from './sign-in.ts'

/** Why an execution cannot be worked on; there is nothing to close. */
export type RunObstacle =
  | { readonly kind: 'nothing to do' }
  /** `isRunDone`: the execution failed, and its run is not to blame. */
  | { readonly kind: 'failed'; readonly error: string; readonly isRunDone?: boolean }

/** An execution that this process works on: everything its pairs need, loaded once. */
export interface OpenRun extends ClaimedExecution {
  readonly kind: 'open'
  readonly endpoints: readonly EndpointKey[]
  readonly templates: ReadonlyMap<string, Template>
  readonly material: RunMaterial
  readonly roles: ReadonlySet<string>
  /** Requests at a time, of all processes together. */
  readonly concurrency: number
  readonly gate: RunGate
  /** Aborted when this process lets go, or the time of the execution is up. */
  readonly until: AbortSignal
  /** Aborted when this process lets go: the execution was stopped, or the process ends. */
  readonly letGo: AbortSignal
  readonly record: (results: readonly PairResult[]) => Promise<void>
  /** Leaves an equal part of concurrency and rates to each of so many processes. */
  share(processes: number): void
  close(): Promise<void>
}

/**
 * Loads what an execution needs and signs its roles in.
 *
 * @param letGo ends everything that is under way
 */
export async function openRun(
  ground: RunGround,
  claimed: ClaimedExecution,
  letGo: AbortSignal,
): Promise<OpenRun | RunObstacle> {
  const { run, execution } = claimed
  const { store } = ground
  const { endpoints, isOutOfScope } = await endpointsOf(store, run)
  if (isOutOfScope)
    return { kind: 'failed', error: 'All target collections are marked as out of testing scope' }
  if (endpoints.length === 0) return { kind: 'nothing to do' }
  const templates = await templatesFor(ground, claimed)
  await beginExecution(store, execution.id, { endpoints: endpoints.length, tests: templates.size })
  if (templates.size === 0) return { kind: 'nothing to do' }
  const seconds = secondsOf(run.runSeconds)
  const leftMs = Math.max(1, execution.startedAt + seconds - nowSeconds()) * 1000
  const until = AbortSignal.any([letGo, AbortSignal.timeout(leftMs)])
  const opened = await openMaterial(ground, claimed, { endpoints, templates, until })
  try {
    const { material, identities } = opened
    const tools = runTools(material, until)
    const refusal = await signIn(identities, templates.values(), endpoints, tools)
    if (refusal === null) {
      await learnDefaultPages(material, until)
      const scope = { endpoints, templates: templates.values() }
      const matrix = await openMatrix(store, identities.roles, scope, tools)
      const known = { ...material, lookups: withMatrix(material.lookups, matrix) }
      return assembled(
        ground,
        claimed,
        { endpoints, templates, until, letGo },
        { ...opened, material: known },
      )
    }
    await opened.close()
    return { kind: 'failed', error: refusal, isRunDone: true }
  } catch (error) {
    await opened.close()
    throw error
  }
}

/** Seconds that an execution may take. */
export function secondsOf(wanted: number): number {
  return wanted > 0 ? Math.min(wanted, runSeconds.most) : runSeconds.byDefault
}

async function templatesFor(
  { store }: RunGround,
  { run, execution }: ClaimedExecution,
): Promise<Map<string, Template>> {
  const suites = await findSuites(store, run.configuration.suiteIds)
  const testIds =
    execution.override?.testIds ??
    (suites.length > 0 ? suites.flatMap((suite) => suite.testIds) : run.configuration.testIds)
  const templates = await templatesOf(store, [...new Set(testIds)])
  await keepTemplateSources(
    store,
    [...templates.values()].map(({ source }) => source),
  )
  return templates
}

interface Scope {
  readonly endpoints: readonly EndpointKey[]
  readonly templates: ReadonlyMap<string, Template>
  readonly until: AbortSignal
}

type Material = Awaited<ReturnType<typeof openMaterial>>

async function openMaterial(
  ground: RunGround,
  { run, execution }: ClaimedExecution,
  { endpoints, templates, until }: Scope,
) {
  const { store } = ground
  const samples = await loadSamples(store, endpoints)
  const override = execution.override?.overrideUrl ?? run.configuration.overrideUrl
  if (override !== null && override !== '') samples.redirect(override)
  const collections = [...new Set(endpoints.map((key) => key.collectionId))]
  const lookups = await loadLookups(store, collections, ground.callback)
  const purpose: SendPurpose = {
    kind: 'test',
    runId: run.id,
    summaryId: execution.id,
    testId: null,
    user: run.userLogin,
  }
  const hosts = hostsOf(endpoints, samples)
  const mask = new SecretMask([])
  const identities = await openIdentities(
    {
      ...ground,
      note: (trouble) => ground.note(run.id, execution.id, trouble),
      secrets: (values) => mask.learn(values),
    },
    { roleId: run.configuration.roleId, purpose, origin: onlyOrigin(samples) },
    hosts,
    until,
  )
  const { credentials } = identities
  mask.learn(credentials.secrets)
  const sender = new Sender({
    scope: new TargetScope(hosts, ground.own, ground.allowed),
    maxConcurrent: Math.max(run.maxConcurrent, runConcurrency.byDefault) * 2,
    requestsPerMinute: ground.requestsPerMinute,
    verifiesTls: ground.verifiesTls,
    audit: ground.audit,
  })
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
    mark: ownMark(ground.sealer),
  }
  const close = async (): Promise<void> => {
    await identities.close()
    await sender.close()
  }
  return { material, identities, mask, close }
}

function assembled(
  { store, sealer }: RunGround,
  claimed: ClaimedExecution,
  scope: Scope & { readonly letGo: AbortSignal },
  { material, identities, mask, close }: Material,
): OpenRun {
  const { run, execution } = claimed
  const { sender, purpose, lookups } = material
  const { until } = scope
  const cleanUp = run.configuration.cleansUp ? new CleanUp({ sender, purpose, lookups, signal: until }) : null
  const concurrency = run.maxConcurrent > 0 ? run.maxConcurrent : runConcurrency.byDefault
  const gate = new RunGate(concurrency)
  return {
    kind: 'open',
    ...claimed,
    ...scope,
    material,
    roles: identities.credentials.usable,
    concurrency,
    gate,
    async record(results) {
      await recordResults(store, execution.id, results, {
        mask,
        follow: recordFindings,
        seal: (text, resultId) => sealer.seal(text, evidencePurpose(resultId)),
      })
      await cleanUp?.after(results)
    },
    share(processes) {
      gate.limit = Math.floor(concurrency / processes)
      sender.divideRate(processes)
    },
    close,
  }
}
