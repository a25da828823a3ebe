export { type EngineEvents, openInventory } from './remote.ts'
export { serveEngine } from './serve-engine.ts'
