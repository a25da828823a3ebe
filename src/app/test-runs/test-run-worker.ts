import { parentPort, workerData } from 'node:worker_threads'
import { hasRole, type Log, reportError, type Sealer, ThreadCalls } from '../../kit/index.ts'
import { joinStore, type Store } from '../../store/index.ts'
import { CallbackIds, createSigningKeys, jwkSet, storedCallbacks } from '../../testing/index.ts'
import { searchPayloads } from '../../threat/index.ts'
import { openSealer } from '../instance-key.ts'
import { maskMessages, messageMask } from '../message-mask.ts'
import { tryCases } from '../template-cases/try-cases.ts'
import { readSentFilter } from '../threat/sent-filter.ts'
import { tryFilter } from '../threat/try-filter.ts'
import { exportEvidence } from './export-evidence.ts'
import { RunService } from './run-service.ts'
import { saveTest } from './save-test.ts'
import { logOver, type MainMethods, type TestRunMethods, type TestRunSetup } from './test-run-protocol.ts'

/**
 * Thread of test runs: everything that reads and judges answers of targets happens here, so that no pattern and no
 * text holds up the server.
 */
const { address, settings, callbacks, own } = workerData as TestRunSetup
const port = parentPort!
const store = joinStore(address)
const opened = open()

const methods: TestRunMethods = {
  wake: async () => (await opened).service.wake(),
  logWritten: async () => (await opened).service.logWritten(),
  tryTest: async (trial) => (await opened).service.playground.try(trial),
  findTrial: async (id, user) => (await opened).service.playground.find(id, user),
  tryCases: (sent) => tryCases(store, sent),
  tryLogin: async (login) => (await opened).service.tryLogin(login),
  dryRun: async (question) => (await opened).service.dryRuns.page(question),
  saveTest: (test) => saveTest(store, test),
  readFilter: (content) => {
    const { filter, warnings } = readSentFilter(content)
    return { id: filter.id, warnings }
  },
  tryFilter: async (trial) => tryFilter({ store, settings, sealer: (await opened).sealer }, trial),
  searchPayloads: async ({ filter, page, source, isUnmasked }) => {
    const masked = await messageMask(store)
    const shown = (message: string) => (isUnmasked ? message : masked({ message, phrases: [] }).message)
    return searchPayloads(store.pool, filter, page, { source, shown })
  },
  maskMessages: (messages, maxBody) => maskMessages(store, messages, maxBody),
  exportEvidence: async (result, isUnmasked) =>
    exportEvidence(store, (await opened).sealer, result, isUnmasked),
  close: async () => {
    const { service, callback } = await opened
    await service.close()
    await callback?.close()
    await store.close()
  },
}
const main = new ThreadCalls<MainMethods>(port, methods)

interface Opened {
  readonly sealer: Sealer
  readonly service: RunService
  readonly callback: CallbackIds | null
}

async function open(): Promise<Opened> {
  const sealer = await openSealer(settings, store)
  const log = logOver((...line) => void main.call('log', line))
  const callback = callbacks === null ? null : new CallbackIds(callbacks.url, shelf(store, log))
  const keys = createSigningKeys(callbacks?.keysUrl ?? null)
  // A target may fetch them as soon as a token names them.
  await main.call('publishKeys', [jwkSet(keys)])
  const service = new RunService({
    store,
    sealer,
    log,
    keys,
    callback,
    allowed: settings.allowedTargets,
    verifiesTls: settings.verifyTargets,
    requestsPerMinute: settings.targetRequestsPerMinute,
    player: { play: (flow, signal) => main.call('play', [flow], { signal }) },
    oneTimeCode: (secret, signal) => main.call('oneTimeCode', [secret], { signal }),
    own,
  })
  if (hasRole(settings, 'worker')) service.begin()
  return { sealer, service, callback }
}

function shelf(store: Store, log: Log): ReturnType<typeof storedCallbacks> {
  return storedCallbacks(store, (error) =>
    log.warn('part.failed', { part: 'callbacks', error: reportError(error) }),
  )
}
