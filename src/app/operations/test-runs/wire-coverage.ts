import type { CoverageCell, EndpointKey } from '../../../testing/index.ts'

/** A cell of a matrix, with the checks that an execution has planned. */
type Cell = CoverageCell & { readonly planned: number }

/** A row of a matrix on the wire. */
export function wireRow({
  endpoint,
  cells,
}: {
  readonly endpoint: EndpointKey
  readonly cells: readonly Cell[]
}) {
  const { collectionId, method, url } = endpoint
  return { apiInfoKey: { apiCollectionId: collectionId, method, url }, cells: [...cells] }
}
