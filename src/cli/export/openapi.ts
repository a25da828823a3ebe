import type { Exporter } from './exporter.ts'

/** One OpenAPI 3.1 document of all pages. */
export const openApiExporter: Exporter = async ({ client, collectionId: apiCollectionId }) => {
  let whole: Tree | null = null
  let cursor: { lastFetchedUrl?: string; lastFetchedMethod?: string } = {}
  for (;;) {
    const page = await client.op.generateOpenApiFile({ apiCollectionId, ...cursor })
    const document = JSON.parse(page.openAPIString ?? '{}') as Tree
    whole = whole === null ? document : merged(whole, document)
    if (!page.lastFetchedUrl || !page.lastFetchedMethod) return `${JSON.stringify(whole, null, 2)}\n`
    cursor = { lastFetchedUrl: page.lastFetchedUrl, lastFetchedMethod: page.lastFetchedMethod }
  }
}

type Tree = Record<string, unknown>

/** Two trees in one: a path whose methods are on two pages has all of them. */
function merged(one: Tree, other: Tree): Tree {
  const result = { ...one }
  for (const [name, value] of Object.entries(other)) {
    const before = result[name]
    result[name] = isTree(before) && isTree(value) ? merged(before, value) : value
  }
  return result
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
