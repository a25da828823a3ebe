import { Failure } from '../../../kit/index.ts'
import { countRuns } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { readRunFilters, type SentFilters } from '../test-runs/result-filters.ts'

/** Numbers of runs by type. */
export const getAllTestsCountMap: Handler<'getAllTestsCountMap'> = async (input, { app, caller }) => {
  const counts = await countRuns(app.store, {
    ...readRunFilters(readFilters(input.filters)),
    visible: caller.collectionIds,
    from: input.startTimestamp,
    to: input.endTimestamp,
  })
  return {
    allTestRuns: Object.values(counts).reduce((sum, count) => sum + count, 0),
    oneTime: counts.ONE_TIME,
    scheduled: counts.RECURRING,
    cicd: counts.CI_CD,
    continuous: counts.CONTINUOUS_TESTING,
  }
}

/** Filters as an object, or as the JSON text of one. @throws Failure INVALID_FIELD */
function readFilters(sent: string | SentFilters): SentFilters {
  if (typeof sent !== 'string') return sent
  if (sent.trim() === '') return null
  const refuse = (): never => {
    throw new Failure('INVALID_FIELD', { field: 'filters' })
  }
  let parsed: unknown
  try {
    parsed = JSON.parse(sent)
  } catch {
    return refuse() // the client learns which field is wrong
  }
  if (parsed === null) return null
  if (typeof parsed !== 'object' || Array.isArray(parsed)) return refuse()
  const lists = Object.entries(parsed).filter(([, values]) => values !== null)
  const isList = (values: unknown): boolean =>
    Array.isArray(values) && values.every((value) => typeof value === 'string' || Number.isInteger(value))
  if (!lists.every(([, values]) => isList(values))) return refuse()
  return Object.fromEntries(lists) as SentFilters
}
