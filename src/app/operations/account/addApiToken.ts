import { createKey } from '../../../access/index.ts'
import type { Handler } from '../../handler.ts'
import { wireKey } from './wire-key.ts'

/** Makes a key for the caller and shows it, this once. */
export const addApiToken: Handler<'addApiToken'> = async (input, { app, caller }) => {
  const name = input.name ?? input.tokenUtility.toLowerCase()
  const key = await createKey(app.access, caller.userId, input.tokenUtility, name, input.expiresInDays)
  return { apiTokenList: [wireKey(key)], tokenUtility: input.tokenUtility }
}
