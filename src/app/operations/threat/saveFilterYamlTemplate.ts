import { saveFilter } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'
import { readSentFilter } from './sent-filter.ts'

/** Saves a filter that can be used. */
export const saveFilterYamlTemplate: Handler<'saveFilterYamlTemplate'> = async (input, { app, caller }) => {
  const { filter, warnings } = readSentFilter(input.content)
  await saveFilter(app.store.pool, { id: filter.id, content: input.content }, caller.login)
  await app.detection.refresh()
  return { content: input.content, warnings }
}
