export { findDashboard } from './dashboard-files.ts'
export type { Health } from './health.ts'
export type { Server } from './server.ts'
export { startServer } from './server.ts'
