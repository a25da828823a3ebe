import { listUsers } from '../../../access/index.ts'
import type { Handler } from '../../handler.ts'

/** Collections by user id: JSON text of the ids, or `*` for people without restriction. */
export const getAllUsersCollections: Handler<'getAllUsersCollections'> = async (_input, { app }) => {
  const users = await listUsers(app.access)
  return Object.fromEntries(
    users.map(({ id, collectionIds }) => [
      String(id),
      collectionIds === null ? '*' : JSON.stringify(collectionIds),
    ]),
  )
}
