import { serveEngine } from '../../inventory/engine/thread/serve-engine.ts'
import { detectionHook } from './detection-hook.ts'

/** Thread of the inventory engine, which keeps events and counts of threats together with the messages. */
await serveEngine(detectionHook())
