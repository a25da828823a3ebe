import { type Rights, rightsOf } from '../../access/rights.ts'
import { runConcurrency, runSeconds } from '../../contract/limits.ts'
import { Sender, type SendPurpose, TargetScope } from '../../http/sender/index.ts'
import { loadTypeRules, sensitiveValues } from '../../inventory/index.ts'
import { nowSeconds } from '../../kit/index.ts'
import {
  beginExecution,
  Callers,
  type ClaimedExecution,
  DefaultPages,
  type EndpointKey,
  FreshAnswers,
  findSuites,
  judgedAsRecorded,
  keepTemplateSources,
  type PairResult,
  RunGate,
  type RunMaterial,
  RunWrites,
  recordResults,
  requestEditor,
  runTools,
  type SampleShelf,
  SecretMask,
  secretsOfChanges,
  type Template,
  writeKeeper,
} from '../../testing/index.ts'
import { recordFindings } from '../alerts/record-findings.ts'
import { ownMark } from '../self-traffic-marker.ts'
import { openMatrix, withMatrix } from './access-matrix.ts'
import { hostsOf, learnDefaultPages, type RunDeps } from './execute-run.ts'
import { evidencePurpose } from './export-evidence.ts'
import { documentedEndpoints, generateSamples, redirected } from './generated-samples.ts'
import { loadLookups } from './inventory-lookups.ts'
import { templatesOf } from './library.ts'
import { RolePeople } from './role-people.ts'
import { roleSignIn } from './role-sign-in.ts'
import { namesIn } from './run-credentials.ts'
import { endpointsOf } from './run-endpoints.ts'
import { onlyOrigin, openIdentities } from './run-identities.ts'
import { loadSamples } from './sample-shelf.ts'
import { signIn } from './sign-in.ts'
import { openStrangerMatrix, withStrangers } from './stranger-matrix.ts'

/** Why an execution cannot be worked on; there is nothing to close. */
export type RunObstacle =
  | { readonly kind: 'nothing to do' }
  /** `isRunDone`: the execution failed, and its run is not to blame. */
  | { readonly kind: 'failed'; readonly error: string; readonly isRunDone?: boolean }

const ROLE_GONE = 'The role under test is gone, or the owner of the run may not use it any more'

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
  /** Leaves an equal part of concurrency and rates to each of this many processes. */
  share(processes: number): void
  close(): Promise<void>
}

/**
 * Loads what an execution needs and signs its roles in.
 *
 * @param letGo ends everything that is under way
 * @param processes that share the limits of the execution from the start
 */
export async function openRun(
  deps: RunDeps,
  claimed: ClaimedExecution,
  letGo: AbortSignal,
  processes = 1,
): Promise<OpenRun | RunObstacle> {
  const { run, execution } = claimed
  const { store } = deps
  const owner = await rightsOf(store, run.userLogin)
  if (run.collectionIds.some((id) => owner.collectionIds?.includes(id) === false))
    return {
      kind: 'failed',
      error: `${run.userLogin}, whose run this is, has no access to its collections any more`,
    }
  const { endpoints, isOutOfScope } = await endpointsOf(store, run)
  if (isOutOfScope)
    return {
      kind: 'failed',
      error: 'Everything this run aims at is out of testing scope, deactivated or ignored.',
    }
  if (endpoints.length === 0) return { kind: 'nothing to do' }
  const templates = await templatesFor(deps, claimed)
  await beginExecution(store, execution.id, { endpoints: endpoints.length, tests: templates.size })
  if (templates.size === 0) return { kind: 'nothing to do' }
  const seconds = secondsOf(run.runSeconds)
  const leftMs = Math.max(1, execution.startedAt + seconds - nowSeconds()) * 1000
  const until = AbortSignal.any([letGo, AbortSignal.timeout(leftMs)])
  const opened = await openMaterial(deps, claimed, { endpoints, templates, until, owner })
  opened.sender.share(processes)
  try {
    const { material, identities } = opened
    if (run.configuration.roleId !== null && identities.roleUnderTest === null) {
      await opened.close()
      return { kind: 'failed', error: ROLE_GONE, isRunDone: true }
    }
    const tools = runTools({ ...material, writes: opened.opening }, until)
    const refusal = await signIn(identities, templates.values(), endpoints, tools, material.callers)
    if (refusal === null) {
      opened.people.learn(identities.credentials, recordedOf(endpoints, material.samples))
      await generateSamples(
        {
          ...{ store, sealer: deps.sealer, summaryId: execution.id, samples: material.samples, tools },
          ...{ templates: templates.values(), signIn: opened.signIn },
          hasRole: identities.roleUnderTest !== null,
        },
        opened.documented,
      )
      for (const { endpoint } of opened.documented) {
        const sample = material.samples.of(endpoint)
        if (sample !== null && sample.response.status < 300) opened.lookups.learn(endpoint, sample)
      }
      // What was made serves all tests; what was changed on the way is set back at once.
      await tools.undoWrites?.('', 'changes')
      await learnDefaultPages(material, until)
      const scope = { endpoints, templates: [...templates.values()] }
      const matrix = await openMatrix(store, identities.roles, scope, tools)
      const strangers = await openStrangerMatrix(store, scope, tools)
      const known = { ...material, lookups: withStrangers(withMatrix(material.lookups, matrix), strangers) }
      return assembled(
        deps,
        claimed,
        { endpoints, templates, until, owner, letGo },
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
  { store }: RunDeps,
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
  readonly owner: Rights
}

type Material = Awaited<ReturnType<typeof openMaterial>>

async function openMaterial(
  deps: RunDeps,
  { run, execution }: ClaimedExecution,
  { endpoints, templates, until, owner }: Scope,
) {
  const { store } = deps
  const collections = [...new Set(endpoints.map((key) => key.collectionId))]
  const callers = new Callers(namesIn)
  const people = new RolePeople(callers)
  const lookups = await loadLookups(store, collections, deps.callback, callers, people)
  const samples = await loadSamples(store, endpoints, callers, judgedAsRecorded(templates.values(), lookups))
  const override = execution.override?.overrideUrl ?? run.configuration.overrideUrl ?? ''
  const described = await documentedEndpoints(store, endpoints, samples, override)
  const documented = override === '' ? described : redirected(described, override)
  if (override !== '') samples.redirect(override)
  const purpose: SendPurpose = {
    kind: 'test',
    runId: run.id,
    summaryId: execution.id,
    testId: null,
    user: run.userLogin,
  }
  const hosts = hostsOf(endpoints, samples)
  const rules = await loadTypeRules(store)
  const given = secretsOfChanges(run.configuration.requestChanges ?? [])
  const mask = new SecretMask(given, [], (exchange) => sensitiveValues(exchange, rules))
  const loginOrigin = onlyOrigin(samples)
  const identities = await openIdentities(
    {
      ...deps,
      note: (problem) => deps.note(run.id, execution.id, problem),
      secrets: (values) => mask.learn(values),
      callers,
    },
    { roleId: run.configuration.roleId, purpose, origin: loginOrigin, owner },
    hosts,
    until,
  )
  const { credentials } = identities
  const signIn = roleSignIn(identities.roleUnderTest, loginOrigin)
  mask.learn([...credentials.secrets, ...(signIn === null ? [] : [signIn.secret])])
  const sender = new Sender({
    scope: new TargetScope(hosts, deps.own, deps.allowed),
    maxConcurrent: concurrencyOf(run),
    requestsPerMinute: deps.requestsPerMinute,
    verifiesTls: deps.verifiesTls,
    audit: deps.audit,
  })
  const writesUntil = (heldUntil?: number): RunWrites =>
    new RunWrites({
      level: run.configuration.writeLevel,
      undoes: run.configuration.cleansUp,
      keeper: writeKeeper(
        store,
        deps.sealer,
        { runId: run.id, summaryId: execution.id, user: run.userLogin },
        { heldUntil, roleOf: (draft) => credentials.roleOf(draft), loginOrigin },
      ),
      lookups,
    })
  const material: RunMaterial = {
    samples,
    callers,
    templates,
    sender,
    purpose,
    credentialsFor: (endpoint, sample) => credentials.sourceFor(endpoint, sample),
    sessions: credentials,
    edit: requestEditor(run.configuration.requestChanges),
    lookups,
    callback: deps.callback,
    keys: deps.keys,
    defaultPages: new DefaultPages(),
    freshAnswers: new FreshAnswers(),
    callbackPatienceMs: 5_000,
    words: new Map(),
    mark: ownMark(deps.sealer),
    writes: writesUntil(),
  }
  const close = async (): Promise<void> => {
    await identities.close()
    await sender.close()
  }
  // What is made before the tests serves all of them, and is deleted when the execution ends.
  const opening = writesUntil(execution.startedAt + secondsOf(run.runSeconds))
  return { material, sender, opening, identities, people, documented, signIn, lookups, mask, close }
}

function recordedOf(endpoints: readonly EndpointKey[], samples: SampleShelf) {
  return endpoints.flatMap((endpoint) => {
    const sample = samples.of(endpoint)
    return sample === null ? [] : [{ endpoint, sample }]
  })
}

/** Requests that a run may have under way at once, in all processes together. */
function concurrencyOf({ maxConcurrent }: ClaimedExecution['run']): number {
  return maxConcurrent > 0 ? maxConcurrent : runConcurrency.byDefault
}

function assembled(
  { store, sealer }: RunDeps,
  claimed: ClaimedExecution,
  scope: Scope & { readonly letGo: AbortSignal },
  { material, sender, identities, mask, close }: Material,
): OpenRun {
  const { run, execution } = claimed
  const concurrency = concurrencyOf(run)
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
    },
    share(processes) {
      gate.limit = Math.floor(concurrency / processes)
      sender.share(processes)
    },
    close,
  }
}
