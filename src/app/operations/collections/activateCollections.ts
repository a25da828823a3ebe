import type { Handler } from '../../handler.ts'
import { setActive } from './set-active.ts'

/** Activates deactivated collections. */
export const activateCollections: Handler<'activateCollections'> = (input, call) =>
  setActive(input.apiCollections, true, call)
