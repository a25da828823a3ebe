import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Store } from '../../store/index.ts'
import { compileFilter, keepShippedFilters, shippedFilters } from '../../threat/index.ts'

/** The filters that come with the product. */
const LIBRARY = fileURLToPath(new URL('../../../templates/filters', import.meta.url))

/**
 * Puts the filters that come with the product into the store, as {@link keepShippedFilters} does. What did not change
 * since the last start is not compiled: it was found good then.
 *
 * @returns how many were new or changed
 */
export async function keepFilterLibrary(store: Store, folder = LIBRARY): Promise<number> {
  const shipped: { id: string; content: string }[] = []
  const known = await shippedFilters(store.pool)
  for (const file of await filterFiles(folder)) {
    const content = await readFile(join(folder, file), 'utf8')
    if (known.has(content)) continue
    const { filter } = compileFilter(content)
    // The library is checked when it is built; a file that cannot be used is left out here and fails its test there.
    if (filter !== null) shipped.push({ id: filter.id, content })
  }
  return keepShippedFilters(store.pool, shipped)
}

async function filterFiles(folder: string): Promise<string[]> {
  try {
    const files = await readdir(folder, { recursive: true })
    return files.filter((file) => file.endsWith('.yaml') && !file.endsWith('.cases.yaml')).sort()
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return []
    throw error
  }
}
