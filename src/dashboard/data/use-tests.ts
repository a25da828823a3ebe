import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { ResponseOf, TestCategory, TestTemplate } from '../../contract/browser.ts'
import { client } from './client.ts'
import { useKeptError, useRead } from './use-operation.ts'

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

type ImportedRule = ResponseOf<'fetchImportedRules'>['rules'][number]

/** A rule of another scanner, in the form of a test. */
function testOf(rule: ImportedRule, displayName = rule.category): TestTemplate {
  const { id, name, description, remediation, category, severity, cwe, cve, references } = rule
  return {
    ...{ name: id, _name: id, testName: `${name} (${rule.tool})`, issueDescription: description },
    ...{
      issueDetails: null,
      issueImpact: null,
      issueTags: [],
      references,
      cwe,
      cve,
      compliance: null,
      remediation,
    },
    superCategory: { name: category, displayName, shortName: displayName, severity: { _name: severity } },
    ...{ content: null, templateSource: null, attributes: null, updatedTs: 0, author: rule.tool },
    ...{ inactive: true, estimatedTokens: 0 },
  }
}

/**
 * All tests by their ids, with the rules of other scanners that issues came from; asked for once and kept, for it hardly
 * changes.
 */
export function useTests() {
  const queryKey = ['fetchAllSubCategories']
  const query = useKeptError(
    useQuery({ queryKey, queryFn: ({ signal }) => fetchTests(signal), staleTime: 60_000 }),
    queryKey,
  )
  const { data: imported } = useRead('fetchImportedRules', {})
  const byId = useMemo(() => {
    const categories = new Map(query.data?.categories.map(({ name, displayName }) => [name, displayName]))
    const rules = (imported?.rules ?? []).map((rule) => testOf(rule, categories.get(rule.category)))
    return new Map([...rules, ...(query.data?.tests ?? [])].map((test) => [test.name, test]))
  }, [query.data, imported])
  return { ...query, byId }
}

/** Title of a test; its id while the library is on its way, or when the test is gone. */
export function testTitle(byId: ReadonlyMap<string, TestTemplate>, id: string): string {
  return byId.get(id)?.testName || id
}
