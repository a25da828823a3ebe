import type { KeyTree } from '../state/index.ts'
import type { HeaderRow } from './header-row.ts'
import type { KnownShape } from './known-shape.ts'

/** What fast paths remember of one place of an endpoint. */
export class PlaceMemory {
  /** Bodies in a row that held something new. */
  misses = 0
  /** Bodies in a row that held nothing new. */
  inARow = 0
  /** Of bodies that were read in place; null as long as they differ. */
  shape: KnownShape | null = null
  /** Of headers that were read in place, by layout. */
  readonly rows: HeaderRow[] = []
}

export function memoryOf(tree: KeyTree): PlaceMemory {
  tree.memory ??= new PlaceMemory()
  return tree.memory as PlaceMemory
}
