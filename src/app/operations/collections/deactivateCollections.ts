import type { Handler } from '../../handler.ts'
import { setActive } from './set-active.ts'

/** Deactivates collections. */
export const deactivateCollections: Handler<'deactivateCollections'> = (input, call) =>
  setActive(input.apiCollections, false, call)
