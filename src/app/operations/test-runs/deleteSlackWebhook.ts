import type { Handler } from '../../handler.ts'

/** Deletes a chat webhook. */
export const deleteSlackWebhook: Handler<'deleteSlackWebhook'> = async (input, { app }) => {
  const { rowCount } = await app.store.pool.query(
    `DELETE FROM alert_channels WHERE id = $1 AND kind = 'SLACK'`,
    [input.apiTokenId],
  )
  return { apiTokenDeleted: rowCount === 1 }
}
