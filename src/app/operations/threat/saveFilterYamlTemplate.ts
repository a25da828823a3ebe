import { saveFilter } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'

/** Saves a filter that can be used. */
export const saveFilterYamlTemplate: Handler<'saveFilterYamlTemplate'> = async (input, { app, caller }) => {
  const { id, warnings } = await app.testRuns.readFilter(input.content)
  await saveFilter(app.store.pool, { id, content: input.content, state: input.state }, caller.login)
  await app.detection.refresh()
  return { content: input.content, warnings }
}
