import { Failure } from '../../../kit/index.ts'
import { baseUrlOf } from '../../base-url.ts'
import type { Handler } from '../../handler.ts'
import { makeTestRecord as make } from '../../reports/make-test-record.ts'
import { requireCollection } from '../../require-collection.ts'

/** Makes a signed record of what was tested in a period. */
export const makeTestRecord: Handler<'makeTestRecord'> = async (input, { app, caller }) => {
  const { startTimestamp: from, endTimestamp: to } = input
  if (from <= 0 || to <= from) throw new Failure('RECORD_PERIOD_INVALID', {})
  const ids = input.apiCollectionIds ?? []
  for (const id of ids) await requireCollection(app.store, caller, id)
  const { record, fileName, content, publicKey, fingerprint } = await make(
    app,
    {
      ...{ from, to },
      collectionIds: ids.length === 0 ? null : ids,
      visible: caller.collectionIds,
      madeBy: caller.login,
      installation: baseUrlOf(app.settings),
    },
    input.format,
  )
  const { totals } = record
  return {
    fileName,
    content: content.toString('base64'),
    publicKey,
    fingerprint,
    executions: totals.executions,
    checks:
      totals.vulnerable + totals.passed + totals.notVerified + totals.needsConfiguration + totals.skipped,
    findings: record.findings.length,
    endpoints: totals.endpoints,
    endpointsTested: totals.endpointsTested,
  }
}
