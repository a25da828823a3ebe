export { type EngineEvents, openInventory } from './remote.ts'
