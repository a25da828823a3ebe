import { listTrackers } from '../../../alerts/index.ts'
import type { Handler } from '../../handler.ts'
import { wireTracker } from './wire-alerts.ts'

/** The trackers that are set up. */
export const fetchIntegration: Handler<'fetchIntegration'> = async (_input, { app }) => ({
  integrations: (await listTrackers(app.store, app.sealer)).map(wireTracker),
})
