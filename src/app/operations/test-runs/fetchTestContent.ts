import { Failure } from '../../../kit/index.ts'
import { originalOf } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { keptCases } from '../../test-runs/library.ts'

/** The YAML of a test. */
export const fetchTestContent: Handler<'fetchTestContent'> = async ({ originalTestId }, { app }) => {
  const [entry] = await app.catalogue.byIds([originalTestId])
  if (entry === undefined) throw new Failure('TEST_TEMPLATE_NOT_FOUND', {})
  const cases = await keptCases(app.store, originalTestId)
  const original = await originalOf(app.store, originalTestId)
  return {
    content: entry.content,
    ...(cases === null ? {} : { cases }),
    ...(original === undefined ? {} : { original: { testId: original.id, content: original.content } }),
  }
}
