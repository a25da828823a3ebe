import { readThreatConfiguration } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'
import { wireConfiguration } from './wire-configuration.ts'

/** What is set about threats. */
export const fetchThreatConfiguration: Handler<'fetchThreatConfiguration'> = async (_input, { app }) =>
  wireConfiguration(await readThreatConfiguration(app.store.pool))
