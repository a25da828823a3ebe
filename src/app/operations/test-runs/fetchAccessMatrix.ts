import type { Handler } from '../../handler.ts'
import { requireGranted } from '../../require-collection.ts'
import { accessTable, deviates, hasAccess } from '../../test-runs/access-table.ts'

/** Which test role reaches which endpoint, and which it should. */
export const fetchAccessMatrix: Handler<'fetchAccessMatrix'> = async (input, { app, caller }) => {
  const ids = input.apiCollectionIds ?? []
  for (const id of ids) requireGranted(caller, id)
  const { roles, rows, isComplete } = await accessTable(app, ids.length === 0 ? null : ids, caller)
  const { access: state, roleName } = input
  const wanted = rows.filter(({ access }) => {
    const own = access.filter((cell) => !roleName || cell.roleName === roleName)
    return (!input.onlyDeviations || own.some(deviates)) && (!state || own.some(hasAccess[state]))
  })
  const from = Math.max(0, input.skip)
  return {
    roles,
    rows: wanted.slice(from, from + input.limit).map(({ endpoint, access }) => ({
      apiInfoKey: { apiCollectionId: endpoint.collectionId, method: endpoint.method, url: endpoint.url },
      access: [...access],
    })),
    rowsCount: wanted.length,
    isTotalExact: isComplete,
  }
}
