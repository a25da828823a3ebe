import { listMessages } from '../../../alerts/index.ts'
import type { Handler } from '../../handler.ts'
import { wireDelivery } from './wire-alerts.ts'

const MOST = 500

/** The newest messages to other systems. */
export const fetchDeliveries: Handler<'fetchDeliveries'> = async (input, { app, caller }) => {
  const { login, collectionIds: visible } = caller
  const limit = Math.min(Math.max(input.limit, 1), MOST)
  const messages = await listMessages(app.store, limit, visible === null ? null : { login, visible })
  return { deliveries: messages.map(wireDelivery) }
}
