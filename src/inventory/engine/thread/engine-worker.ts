import { serveEngine } from './serve-engine.ts'

/** Thread of the inventory engine by itself. */
await serveEngine()
