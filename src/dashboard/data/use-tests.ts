import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { TestCategory, TestTemplate } from '../../contract/browser.ts'
import { client } from './client.ts'

const pageSize = 1000
/** Pages asked for at most: a library beyond that is cut, not endless. */
const mostPages = 20

/** Every test of the library, without its YAML, and the categories. */
interface TestLibrary {
  readonly tests: readonly TestTemplate[]
  readonly categories: readonly TestCategory[]
}

async function fetchTests(signal: AbortSignal): Promise<TestLibrary> {
  const tests: TestTemplate[] = []
  for (let page = 0; page < mostPages; page++) {
    const answer = await client.call(
      'fetchAllSubCategories',
      { mode: 'runTests', fetchOnlyActive: false, limit: pageSize, skip: page * pageSize },
      { signal },
    )
    const found = answer.subCategories ?? []
    tests.push(...found)
    if (found.length < pageSize) return { tests, categories: answer.categories ?? [] }
  }
  return { tests, categories: [] }
}

/** All tests by their ids; asked for once and kept, for it hardly changes. */
export function useTests() {
  const query = useQuery({
    queryKey: ['fetchAllSubCategories'],
    queryFn: ({ signal }) => fetchTests(signal),
    staleTime: 60_000,
  })
  const byId = useMemo(() => new Map(query.data?.tests.map((test) => [test.name, test])), [query.data])
  return { ...query, byId }
}

/** Title of a test; its id while the library is on its way, or when the test is gone. */
export function testTitle(byId: ReadonlyMap<string, TestTemplate>, id: string): string {
  return byId.get(id)?.testName || id
}
