import type { Handler } from '../../handler.ts'
import { readOrganisation } from '../../organisation.ts'
import { wireOrganisation } from './wire-organisation.ts'

/** Name, time zone, redaction and retention of the organisation. */
export const fetchOrganisation: Handler<'fetchOrganisation'> = async (_input, { app }) =>
  wireOrganisation(await readOrganisation(app.store.pool), app.settings)
