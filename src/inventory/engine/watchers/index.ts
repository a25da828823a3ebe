export { EvidenceWatch } from './evidence-watch.ts'
export { GroupWatch } from './group-watch.ts'
export { markMissedFacts, purgeExpired } from './maintenance.ts'
export { SettingsWatch } from './settings-watch.ts'
