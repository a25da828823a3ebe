import type { ApiCollection } from '../records.ts'

/**
 * A collection as the reference has it: tags and conditions as lists, and the environment as one more tag instead of a
 * word.
 */
export function referenceCollection(collection: ApiCollection): Record<string, unknown> {
  const { envType, userSetEnvType, tagsList, conditions } = collection
  const tags = readList(tagsList)
  const environment = envType === null ? [] : [environmentTag(envType, userSetEnvType)]
  return {
    ...collection,
    envType: [...environment, ...(tags ?? [])],
    tagsList: tags,
    conditions: readList(conditions),
  }
}

function environmentTag(envType: string, userSetEnvType: string | null) {
  return {
    keyName: 'envType',
    value: envType,
    source: userSetEnvType === null ? 'RUNTIME' : 'USER',
    lastUpdatedTs: 0,
  }
}

function readList(text: string | null): unknown[] | null {
  return text === null ? null : (JSON.parse(text) as unknown[])
}
