import { listChannels } from '../../../alerts/index.ts'
import type { Handler } from '../../handler.ts'
import { wireWebhook } from './wire-alerts.ts'

/** Every channel of alerts, masked. */
export const fetchCustomWebhooks: Handler<'fetchCustomWebhooks'> = async (_input, { app }) => ({
  customWebhooks: (await listChannels(app.store, app.sealer)).map(wireWebhook),
})
