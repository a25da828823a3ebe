import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { Failure } from '../../../kit/index.ts'
import { joinStore, type StoreAddress } from '../../../store/index.ts'
import { InventoryEngine } from '../engine.ts'
import { type FindingsHook, NO_HOOK } from '../intake/index.ts'
import type { EngineCall, EngineReply, RemoteError } from './remote.ts'

/**
 * Makes the present thread that of the inventory engine: it owns an engine and a few connections, and answers the
 * calls of `openInventory`, one message each.
 */
export async function serveEngine(hook: FindingsHook = NO_HOOK): Promise<void> {
  const store = joinStore((workerData as { address: StoreAddress }).address)
  const engine = await InventoryEngine.open(store, hook)
  const port = parentPort as MessagePort
  const reply = (message: EngineReply): void => port.postMessage(message)

  async function answer(call: EngineCall): Promise<void> {
    try {
      const method = engine[call.method] as (...args: unknown[]) => Promise<unknown>
      reply({ id: call.id, result: await method.apply(engine, call.args) })
    } catch (error) {
      reply({ id: call.id, error: remoteError(error) })
    }
    if (call.method !== 'close') return
    await store.close()
    port.close()
  }

  engine.onTrouble = (error) => reply({ trouble: remoteError(error) })
  port.on('message', (call: EngineCall) => void answer(call))
  reply({ ready: true })
}

function remoteError(error: unknown): RemoteError {
  if (error instanceof Failure) return { code: error.code, details: error.details, message: error.message }
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined }
  const { code, severity } = Object(error) as { code?: unknown; severity?: unknown }
  if (typeof code !== 'string') return { code: null, details: {}, message, stack }
  return {
    code: null,
    details: {},
    message,
    stack,
    driver: { code, severity: typeof severity === 'string' ? severity : undefined },
  }
}
