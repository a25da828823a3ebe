import { matchesSearch, type ResponseOf } from '../../contract/browser.ts'

/** A filter as the server lists it. */
export type FilterTemplate = NonNullable<ResponseOf<'fetchFilterYamlTemplate'>['templates']>[number]

/** Whether a filter is found by its id, name, category, CWE, CAPEC or another clause, or a synonym. */
export function matchesFilter({ id, info }: FilterTemplate, search: string): boolean {
  const clauses = Object.values(info?.compliance?.mapComplianceToListClauses ?? {}).flat()
  return matchesSearch(
    {
      id,
      name: info?.name ?? '',
      category: info === null ? [] : [info.category.name, info.category.displayName],
      references: [...(info?.cwe ?? []), ...(info?.cve ?? []), ...(info?.tags ?? []), ...clauses],
    },
    search,
  )
}
