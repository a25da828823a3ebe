import { useMemo } from 'react'
import { useRead } from '../../data/use-operation.ts'

/** What filters are called. An id stands for itself until the names are there, and when its filter is gone. */
interface FilterNames {
  readonly nameOf: (id: string) => string
  /** Name of the category of a filter; `otherwise` where it is not known. */
  readonly categoryOf: (id: string, otherwise: string) => string
}

export function useFilterNames(): FilterNames {
  const { data } = useRead('fetchFilterYamlTemplate', { withContent: false })
  return useMemo(() => {
    const byId = new Map(data?.templates?.map(({ id, info }) => [id, info]))
    return {
      nameOf: (id) => byId.get(id)?.name || id,
      categoryOf: (id, otherwise) => byId.get(id)?.category.displayName || otherwise,
    }
  }, [data])
}
