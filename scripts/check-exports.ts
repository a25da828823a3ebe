/**
 * Every name that a file of `src` exports is imported by another file: what only its own file uses is not exported, and
 * what nobody uses is removed.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const USERS = ['src', 'test', 'bench', 'scripts', 'sdk']
const LIST = /(?:^|\n)(import|export)\s+(?:type\s+)?\{([^}]*)\}(?:\s+from\s+'(\.[^']+)')?/g
/** `import x, …`, `import * as x`, `export * from` and `import('…')`: whatever the file exports. */
const WHOLE =
  /(?:^|\n)(?:import\s+(?:type\s+)?(?:\*\s+as\s+)?\w+(?:\s*,\s*\{[^}]*\})?|export\s+(?:type\s+)?\*)\s+from\s+'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'|typeof import\('(\.[^']+)'\)/g
const DECLARED =
  /(?:^|\n)export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|class|const|let|interface|type|enum)\s+(\w+)/g

interface Exports {
  names: Set<string>
  text: string
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}

function namesIn(list: string, side: 0 | 1): string[] {
  return list
    .split(',')
    .map((part) => part.trim().replace(/^type\s+/, ''))
    .filter((part) => part !== '')
    .map((part) => part.split(/\s+as\s+/).at(side === 0 ? 0 : -1)!)
}

/** Breaches of the rule, one sentence each. */
export function checkExports(root: string): string[] {
  const exported = new Map<string, Exports>()
  const used = new Map<string, Set<string> | 'all'>()
  const use = (file: string, name: string) => {
    const names = used.get(file)
    if (names === undefined) used.set(file, new Set([name]))
    else if (names !== 'all') names.add(name)
  }
  for (const folder of USERS) {
    for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.tsx?$/.test(entry.name) || entry.parentPath.includes('node_modules'))
        continue
      const path = join(entry.parentPath, entry.name)
      const text = withoutComments(readFileSync(path, 'utf8'))
      const names = new Set<string>([...text.matchAll(DECLARED)].map(([, name]) => name!))
      for (const [, keyword, list, from] of text.matchAll(LIST)) {
        if (keyword === 'export') for (const name of namesIn(list!, 1)) names.add(name)
        if (from !== undefined) for (const name of namesIn(list!, 0)) use(resolve(dirname(path), from), name)
      }
      for (const [, ...from] of text.matchAll(WHOLE))
        used.set(resolve(dirname(path), from.find((target) => target !== undefined)!), 'all')
      if (
        folder === 'src' &&
        !/\.test\.tsx?$|\.generated\.|\.d\.ts$/.test(entry.name) &&
        !path.includes('/assembly/')
      )
        exported.set(path, { names, text })
    }
  }
  const breaches: string[] = []
  for (const [path, { names, text }] of exported) {
    const users = used.get(path)
    if (users === 'all') continue
    for (const name of names) {
      if (users?.has(name)) continue
      const isUsedInside = (text.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0) > 1
      breaches.push(
        `${relative(root, path)}: ${name} is ${isUsedInside ? 'used only here: do not export it' : 'used nowhere'}`,
      )
    }
  }
  return breaches.sort()
}

if (import.meta.main) {
  const breaches = checkExports(join(import.meta.dirname, '..'))
  for (const breach of breaches) console.error(breach)
  process.exitCode = breaches.length === 0 ? 0 : 1
}
