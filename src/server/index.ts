export { findDashboard } from './dashboard-files.ts'
export { portProblem, requireFreePort } from './port-probe.ts'
export type { Server } from './server.ts'
export { startServer } from './server.ts'
