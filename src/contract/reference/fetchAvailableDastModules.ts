import { adapter } from './adapter.ts'

/** A bare list. */
export const fetchAvailableDastModules = adapter('fetchAvailableDastModules', {
  answer: ({ availableModules }) => availableModules,
})
