import { Failure } from '../../../kit/index.ts'
import { switchTemplate } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'

/** Switches a test off or on, whatever its file says. */
export const setTestInactive: Handler<'setTestInactive'> = async ({ originalTestId, inactive }, { app }) => {
  if (!(await switchTemplate(app.store, originalTestId, inactive)))
    throw new Failure('TEST_TEMPLATE_NOT_FOUND', {})
  return { originalTestId, inactive }
}
