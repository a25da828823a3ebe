import { nameOfAction } from './action-cause.ts'
import type { ChosenAction } from './choose-action.ts'
import type { CrawlContext } from './crawl-context.ts'

/** An action that was done, and what it led from and to. */
interface DoneAction {
  readonly chosen: ChosenAction
  readonly pageId: string
  /** Ids of the states before and after. */
  readonly from: string
  readonly to: string
  readonly fromUrl: string
  readonly toUrl: string
  readonly startedMs: number
}

/** Records an action as an edge of the graph of states, with what the page called meanwhile. */
export async function recordAction(
  { chosen, pageId, from, to, fromUrl, toUrl, startedMs }: DoneAction,
  context: CrawlContext,
): Promise<void> {
  const { action, gesture } = chosen
  await context.ports.sink.edge({
    from,
    to,
    fromUrl,
    toUrl,
    action: action.isSubmit ? 'submit' : gesture,
    xpath: action.xpath,
    text: nameOfAction(action),
    calls: context.callsSince(pageId, startedMs),
  })
}
