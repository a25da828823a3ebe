import { readWindow } from '../../../threat/index.ts'
import type { Handler } from '../../handler.ts'

/** Tries a filter on stored messages. */
export const testFilterYamlTemplate: Handler<'testFilterYamlTemplate'> = (input, { app, caller }) =>
  app.testRuns.tryFilter({
    content: input.content,
    window: readWindow(input.startTs, input.endTs),
    collectionIds: caller.collectionIds,
  })
