import { Failure } from '../../../kit/index.ts'
import { removeFilter } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'

/** Removes a filter. */
export const deleteFilterYamlTemplate: Handler<'deleteFilterYamlTemplate'> = async (
  input,
  { app, caller },
) => {
  if (input.templateId.trim() === '') throw new Failure('FILTER_ID_ABSENT', {})
  if (!(await removeFilter(app.store.pool, input.templateId, caller.login)))
    throw new Failure('FILTER_NOT_FOUND', {})
  await app.detection.refresh()
  return {}
}
