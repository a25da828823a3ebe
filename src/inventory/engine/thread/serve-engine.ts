import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { ThreadCalls, threadError } from '../../../kit/index.ts'
import { joinStore, type StoreAddress } from '../../../store/index.ts'
import { InventoryEngine } from '../engine.ts'
import { type FindingsHook, NO_HOOK } from '../intake/index.ts'
import type { InventoryPort } from '../port.ts'
import { previewType } from '../watchers/index.ts'
import type { OwnerMethods } from './remote.ts'

/** What the engine's thread answers. */
export type EngineMethods = Omit<InventoryPort, 'close'> & {
  /** Resolves when the engine takes messages. */
  opened(): Promise<void>
  close(): Promise<void>
}

/**
 * Makes the present thread that of the inventory engine: it owns an engine and a few connections, and answers the
 * calls of `openInventory`.
 */
export async function serveEngine(hook: FindingsHook = NO_HOOK): Promise<void> {
  const store = joinStore((workerData as { address: StoreAddress }).address)
  const engine = await InventoryEngine.open(store, hook)
  const port = parentPort as MessagePort
  const methods: EngineMethods = {
    opened: async () => {},
    ingest: (...args) => engine.ingest(...args),
    observe: (...args) => engine.observe(...args),
    addDeclared: (...args) => engine.addDeclared(...args),
    declare: (...args) => engine.declare(...args),
    locate: (...args) => engine.locate(...args),
    decide: (...args) => engine.decide(...args),
    explain: (...args) => engine.explain(...args),
    flush: () => engine.flush(),
    forget: (...args) => engine.forget(...args),
    refreshSettings: () => engine.refreshSettings(),
    previewType: (...args) => previewType(store, ...args),
    figures: () => engine.figures(),
    async close() {
      try {
        await engine.close()
      } finally {
        await store.close()
        setImmediate(() => port.close()) // behind the answer
      }
    },
  }
  const owner = new ThreadCalls<OwnerMethods>(port, methods)
  engine.onTrouble = (error) => void owner.call('trouble', [threadError(error)])
}
