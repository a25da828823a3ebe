import { listChannels } from '../../../alerts/index.ts'
import type { Handler } from '../../handler.ts'
import { ownChannels, wireWebhook } from './wire-alerts.ts'

/** Channels of alerts, masked: the caller's own for those restricted to some collections. */
export const fetchCustomWebhooks: Handler<'fetchCustomWebhooks'> = async (_input, { app, caller }) => ({
  customWebhooks: ownChannels(await listChannels(app.store, app.sealer), caller).map(wireWebhook),
})
