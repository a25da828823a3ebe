export { openInventory } from './remote.ts'
