import { type Access, createKey, ensureKey, hasAnyKey, SingleSignOn, systemUserId } from '../access/index.ts'
import { Mailer, Notifier } from '../alerts/index.ts'
import { openInventory, riskKeeper } from '../inventory/index.ts'
import {
  endsWithin,
  Failure,
  hasRole,
  type Log,
  type Role,
  reportError,
  roles,
  type Settings,
  siblingModule,
} from '../kit/index.ts'
import { ReportMaker } from '../reports/index.ts'
import { CallbackListener, ensureAttackerRole, StoredCatalogue, storedCallbacks } from '../testing/index.ts'
import { issuePorts } from './alerts/issue-ports.ts'
import { openAppContext } from './app-context.ts'
import { ChangeFeed } from './changes/change-feed.ts'
import { CrawlService } from './crawler/crawl-service.ts'
import { Election } from './election.ts'
import type { App } from './handler.ts'
import { Imports } from './imports.ts'
import { openReadReplica } from './read-replica.ts'
import { FlowService } from './recordings/flow-service.ts'
import { gatherReport } from './reports/gather-report.ts'
import { Retention } from './retention.ts'
import { Snapshots } from './snapshots.ts'
import { openStreamIntake } from './stream/stream-intake.ts'
import { AuditWriter } from './test-runs/audit-writer.ts'
import { ownListeners } from './test-runs/execute-run.ts'
import { keepLibrary } from './test-runs/library.ts'
import { TemplateFolders } from './test-runs/template-folders.ts'
import { TestRuns } from './test-runs/test-runs.ts'
import { Detection } from './threat/detection.ts'
import { keepFilterLibrary } from './threat/filter-library.ts'
import { ThreatMaintenance } from './threat/threat-maintenance.ts'
import { watchedInventory } from './threat/watched-inventory.ts'

/** Time for what is under way when the process ends, unless the caller says otherwise. */
const CLOSE_PATIENCE_MS = 10_000
/** Every part has at least this long, whatever those before it took. */
const LEAST_PATIENCE_MS = 1_000
/** For a part that ends itself when its time is over. */
const SLACK_MS = 500

/** How one part is brought to its end within the time given. */
interface Closer {
  part: string
  end(leftMs: number): Promise<unknown>
}

/** The running product. */
export interface Running {
  readonly app: App
  /**
   * Makes a key of kind EXTERNAL_API when nobody has any, to be shown once; null when there is one. To be asked for
   * when the server listens: a start that fails would make the key and never show it.
   */
  makeFirstKey(): Promise<string | null>
  /** Null with a PostgreSQL server, which has its own backups. */
  readonly snapshots: Snapshots | null
  /** Removes what the settings keep no longer. */
  readonly retention: Retention
  /**
   * Brings what is under way to its end, for at most the time given, and closes everything, the store last. What has
   * not ended then is cut and named in the log, so that a store that is away holds nobody.
   */
  close(patienceMs?: number): Promise<void>
}

/**
 * Opens everything in order: store, access, inventory engine, imports. What was opened is closed on failure.
 *
 * @param onDeath called when a part died unasked and the process cannot go on
 * @throws Failure of the start group of the error table
 */
export async function boot(settings: Settings, log: Log, onDeath: (error: Error) => void): Promise<Running> {
  const die = (part: string, error: Error): void => {
    log.error('part.died', { part, error: reportError(error) })
    onDeath(error)
  }
  requireEveryRole(settings)
  const has = (role: Role): boolean => hasRole(settings, role)
  const { store, sealer, access } = await openAppContext(settings, log, (error) => die('store', error))
  const replica = openReadReplica(store, settings, log)
  store.listen({
    quietMs: settings.pollSeconds * 1000,
    onHeard: () => {
      replica?.noteGap()
      log.info('news.heard', { pollSeconds: settings.pollSeconds })
    },
    onWrite: (caller) => replica?.noteWrite(caller),
    onLost: (error) => log.warn('news.lost', { error: reportError(error) }),
  })
  const closers: Closer[] = []
  let closing: Promise<void> | null = null
  const close = (patienceMs = CLOSE_PATIENCE_MS): Promise<void> => {
    closing ??= closeAll(closers, patienceMs, log).then(() => store.close())
    return closing
  }
  if (replica !== null) closers.push({ part: 'replica', end: () => replica.close() })
  replica?.begin()
  try {
    // The engine's thread loads for most of a second; meanwhile what came with the product is taken over.
    const opening = openInventory(
      store,
      {
        onTrouble: (error) => log.warn('part.failed', { part: 'inventory', error: reportError(error) }),
        onDeath: (error) => die('inventory', error),
      },
      siblingModule(import.meta.url, './threat/engine-worker'),
    )
    closers.push({ part: 'inventory', end: async (leftMs) => (await opening).close(leftMs) })
    await Promise.all([opening, keepFilterLibrary(store), keepLibrary(store), ensureAttackerRole(store)])
    const engine = await opening
    const detection = new Detection({ store, settings, log, sealer })
    closers.push({ part: 'detection', end: () => detection.close() })
    await detection.begin()
    const threats = new ThreatMaintenance(store, settings, log)
    closers.push({ part: 'threats', end: () => threats.close() })
    const inventory = watchedInventory(engine, detection)
    const stream = has('ingest') ? await openStreamIntake(settings, { log, inventory }) : null
    if (stream !== null) closers.push({ part: 'stream', end: () => stream.close() })
    stream?.begin()
    const risks = riskKeeper(store, (error) =>
      log.warn('part.failed', { part: 'risk scores', error: reportError(error) }),
    )
    closers.push({ part: 'risk scores', end: () => risks.close() })
    if (has('worker')) risks.begin()
    const catalogue = new StoredCatalogue(store)
    const templates = new TemplateFolders(store, settings.templateDirs, log)
    closers.push({ part: 'folders of tests', end: () => templates.close() })
    templates.begin()
    const onShelfError = (error: unknown): void =>
      log.warn('part.failed', { part: 'callbacks', error: reportError(error) })
    const callback =
      settings.callbackPort > 0
        ? await CallbackListener.start(settings, storedCallbacks(store, onShelfError))
        : null
    if (callback !== null) closers.push({ part: 'callbacks', end: () => callback.close() })
    const own = [
      ...(settings.port > 0 ? ownListeners(settings.host, settings.port) : []),
      ...(callback === null ? [] : ownListeners(settings.callbackHost, settings.callbackPort)),
    ]
    const flows = new FlowService({ store, sealer, log, settings, own })
    closers.push({ part: 'recorded logins', end: () => flows.close() })
    if (has('worker')) flows.begin()
    const testRuns = new TestRuns({ store, settings, log, callback, player: flows, own })
    closers.push({ part: 'test runs', end: (leftMs) => testRuns.close(leftMs) })
    if (has('worker')) testRuns.begin()
    const imports = new Imports({ store, inventory, access, testRuns })
    closers.push({ part: 'imports', end: () => imports.close() })
    await imports.begin()
    const mailer = Mailer.of(settings)
    if (mailer !== null) closers.push({ part: 'mail', end: async () => mailer.close() })
    const notifier = new Notifier({
      store,
      sealer,
      log,
      ports: issuePorts(store, settings),
      mailer,
      allowed: settings.allowedAlertTargets,
      own: settings.port > 0 ? ownListeners(settings.host, settings.port) : [],
    })
    closers.push({ part: 'alerts', end: () => notifier.close() })
    if (has('worker')) notifier.begin()
    const reports = new ReportMaker({
      store,
      log,
      gather: (definition) => gatherReport({ store, settings, catalogue }, definition),
    })
    closers.push({ part: 'reports', end: () => reports.close() })
    if (has('worker')) reports.begin()
    const crawls = new CrawlService(
      {
        store,
        sealer,
        log,
        settings,
        inventory,
        catalogue,
        testRuns,
        allowed: settings.allowedTargets,
        verifiesTls: settings.verifyTargets,
        own,
      },
      imports,
    )
    closers.push({ part: 'crawls', end: () => crawls.close() })
    if (has('crawler')) crawls.begin()
    const signOnAudit = new AuditWriter(store, log)
    if (settings.oidcIssuer !== null) {
      closers.push({ part: 'single sign-on', end: () => signOnAudit.close() })
      signOnAudit.begin()
    }
    const changes = new ChangeFeed(store, log, async () => replica?.caughtUp())
    closers.push({ part: 'changes', end: () => changes.close() })
    const retention = new Retention(store, settings, log)
    closers.push({ part: 'retention', end: () => retention.close() })
    const election = new Election('maintenance', {
      store,
      onElected: () => {
        log.info('election.won', { office: 'maintenance' })
        retention.purgeNow()
        threats.purgeNow()
      },
      onError: (error) => log.warn('part.failed', { part: 'election', error: reportError(error) }),
    })
    const app: App = {
      settings,
      log,
      store,
      replica,
      sealer,
      access,
      singleSignOn:
        settings.oidcIssuer === null
          ? null
          : new SingleSignOn(access, settings.oidcIssuer, (entry) => signOnAudit.add(entry)),
      mailer,
      inventory,
      election,
      detection,
      threats,
      imports,
      stream,
      catalogue,
      templates,
      testRuns,
      notifier,
      reports,
      crawls,
      changes,
      flows,
    }
    const snapshots = store.kind === 'embedded' ? new Snapshots(store, settings, log) : null
    if (snapshots) closers.push({ part: 'snapshots', end: () => snapshots.close() })
    snapshots?.schedule()
    const isElected = (): boolean => election.isElected
    threats.begin(isElected)
    retention.schedule(isElected)
    closers.push({ part: 'election', end: () => election.close() })
    if (has('worker')) election.begin()
    if (settings.apiKey !== null) await ensureKey(access, settings.apiKey, 'VIGIL_API_KEY')
    return { app, makeFirstKey: () => makeFirstKey(access), snapshots, retention, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** An embedded store has one process, so nothing else could do what it leaves out. @throws Failure ROLES_NEED_DATABASE */
function requireEveryRole(settings: Settings): void {
  const absent = roles.filter((role) => !hasRole(settings, role))
  if (absent.length > 0 && settings.databaseUrl === null)
    throw new Failure('ROLES_NEED_DATABASE', { absent: absent.join(', ') })
}

/** Ends the parts, the latest first. Those left when the time is over end together, so that their waits do not add up. */
async function closeAll(closers: readonly Closer[], patienceMs: number, log: Log): Promise<void> {
  const until = performance.now() + patienceMs
  const left = [...closers]
  while (left.length > 0 && performance.now() < until) await closePart(left.pop()!, until, log)
  await Promise.all(left.map((closer) => closePart(closer, until, log)))
}

async function closePart({ part, end }: Closer, until: number, log: Log): Promise<void> {
  const leftMs = Math.max(LEAST_PATIENCE_MS, until - performance.now())
  try {
    if (!(await endsWithin(leftMs + SLACK_MS, end(leftMs)))) log.warn('part.cut', { part })
  } catch (error) {
    log.warn('part.failed', { part, error: reportError(error) })
  }
}

async function makeFirstKey(access: Access): Promise<string | null> {
  if (await hasAnyKey(access)) return null
  return (await createKey(access, systemUserId, 'EXTERNAL_API', 'first key')).key
}
