import type { CoverageCell, EndpointKey } from '../../../testing/index.ts'

/** A cell of a matrix, with the checks that an execution has planned. */
export type Cell = { -readonly [Key in keyof CoverageCell]: CoverageCell[Key] } & { planned: number }

export function emptyCell(category: string): Cell {
  return { category, planned: 0, vulnerable: 0, passed: 0, notVerified: 0, skipped: 0, lastTestedAt: 0 }
}

/** A row of a matrix on the wire. */
export function wireRow({ endpoint, cells }: { endpoint: EndpointKey; cells: readonly Cell[] }) {
  const { collectionId, method, url } = endpoint
  return { apiInfoKey: { apiCollectionId: collectionId, method, url }, cells: [...cells] }
}
