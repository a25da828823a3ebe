import { Failure } from '../../../kit/index.ts'
import { removeTemplates } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'

/** Deletes a test that was written in the dashboard; one of its id in a folder or the library takes its place. */
export const deleteTestTemplate: Handler<'deleteTestTemplate'> = async ({ originalTestId }, { app }) => {
  const [entry] = await app.catalogue.byIds([originalTestId])
  if (entry === undefined) throw new Failure('TEST_TEMPLATE_NOT_FOUND', {})
  if (entry.source !== 'CUSTOM') throw new Failure('TEST_TEMPLATE_NOT_OWN', {})
  await removeTemplates(app.store, 'CUSTOM', [originalTestId])
  await app.templates.read()
  return { originalTestId }
}
