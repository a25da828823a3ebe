import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorPage, openApiDocument } from '../src/contract/index.ts'

/** Documents made from the contract: path from the root of the repository, and how to make the text. */
const DOCUMENTS: Readonly<Record<string, () => string>> = {
  'docs/api/openapi.json': () => `${JSON.stringify(openApiDocument(), null, 2)}\n`,
  'docs/errors.md': errorPage,
}

/** Documents whose text on disk differs from what the contract says; empty when all are fresh. */
export function staleDocuments(root: string): string[] {
  return Object.entries(DOCUMENTS)
    .filter(([path, text]) => textOf(join(root, path)) !== text())
    .map(([path]) => path)
}

/** Writes the documents that are stale; returns their paths. */
export function generateDocuments(root: string): string[] {
  const stale = staleDocuments(root)
  for (const path of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), DOCUMENTS[path]!())
  }
  return stale
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const isCheck = process.argv.includes('--check')
  const paths = isCheck ? staleDocuments(root) : generateDocuments(root)
  for (const path of paths) console.log(isCheck ? `stale: ${path}` : `wrote ${path}`)
  if (isCheck && paths.length > 0) process.exitCode = 1
}
