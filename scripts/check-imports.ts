/**
 * The import rules: modules in layers, imports go down, another module only through its index.ts or what `public` lists,
 * inside a module the folders and files of its `order` import only what comes after them, folders through their
 * index.ts; npm packages only where `src/modules.json` allows them. Tests may also import what is beside them and `test/`.
 * What each thread and process loads when it starts is bounded (`starts`).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

interface ImportRules {
  layers: string[][]
  modules: Record<string, Module>
  starts: Record<string, Start>
}

interface Module {
  purpose: string
  imports: string[]
  packages: string[]
  /** Files besides `index.ts` that other modules may import: parts that load less, or that one thread needs. */
  public?: string[]
  /**
   * Folders and files of the module in the order in which they call each other: each imports only what comes later, and a
   * folder is reached from outside only through its `index.ts`.
   */
  order?: string[]
}

/** A file with which a thread or a process starts: what it may load before its first work. */
interface Start {
  files: number
  never: string[]
}

const root = new URL('..', import.meta.url).pathname
const source = join(root, 'src')
const builtins = new Set(builtinModules)
const IMPORT =
  /(?:^|[\s;}])(?:import|export)\s+(type\s+)?(?:[\w*{},\s$]+?\s+from\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g

/** Every file below a folder with one of the endings. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

interface Import {
  specifier: string
  /** Whether it is loaded together with the file: neither types only nor on demand. */
  isLoaded: boolean
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
  return [...text.matchAll(IMPORT)].map(([, type, fixed, onDemand]) => ({
    specifier: (fixed ?? onDemand)!,
    isLoaded: type === undefined && fixed !== undefined,
  }))
}

function moduleOf(path: string): string {
  return relative(source, path).split('/')[0]!
}

function packageOf(specifier: string): string {
  const parts = specifier.split('/')
  return specifier.startsWith('@') ? `${parts[0]}/${parts[1]}` : parts[0]!
}

function isAllowedPackage(name: string, allowed: readonly string[]): boolean {
  return allowed.some((rule) => (rule.endsWith('/*') ? name.startsWith(rule.slice(0, -1)) : rule === name))
}

function checkImport(file: string, specifier: string, config: ImportRules): string | null {
  const module = moduleOf(file)
  const rules = config.modules[module]
  if (rules === undefined) return `the module "${module}" is not in src/modules.json`
  const isTest = /\.test\.tsx?$/.test(file)
  if (!specifier.startsWith('.')) {
    if (specifier.startsWith('node:')) {
      return module === 'dashboard' && !isTest ? `the dashboard runs in a browser: ${specifier}` : null
    }
    if (builtins.has(specifier)) return `write node:${specifier}`
    const name = packageOf(specifier)
    if (isTest || isAllowedPackage(name, rules.packages)) return null
    return `the package ${name} is not allowed in ${module} (src/modules.json)`
  }
  const target = resolve(dirname(file), specifier)
  if (!target.startsWith(`${source}/`)) return isTest ? null : `imports outside src: ${specifier}`
  const other = moduleOf(target)
  if (isTest) return null
  if (other === module) return orderBreach(file, target, join(source, module), rules.order ?? [])
  if (!rules.imports.includes(other)) return `${module} may not import ${other} (src/modules.json)`
  const entry = relative(join(source, other), target)
  const entries = ['index.ts', ...(config.modules[other]?.public ?? [])]
  return entries.includes(entry) ? null : `import ${other} through ${entries.join(' or ')}, not ${entry}`
}

/** Why a file may not import another of its module; null when it may. */
function orderBreach(file: string, target: string, module: string, order: readonly string[]): string | null {
  const to = order.findIndex((entry) => isIn(join(module, entry), target))
  const from = order.findIndex((entry) => isIn(join(module, entry), file))
  if (to < 0 || to === from) return null
  const entry = order[to]!
  if (from > to) return `${order[from]} may not import ${entry}, which comes before it (src/modules.json)`
  const path = relative(join(module, entry), target)
  return path === '' || path === 'index.ts' ? null : `import ${entry} through its index.ts, not ${path}`
}

function isIn(entry: string, file: string): boolean {
  return file === entry || file.startsWith(`${entry}/`)
}

/** The files of `src` and the packages that are loaded with a file, each with the file that names it first. */
export function loadedWith(file: string): Map<string, string> {
  const loaded = new Map([[file, '']])
  for (const from of loaded.keys()) {
    if (!from.startsWith(source)) continue
    for (const { specifier, isLoaded } of importsOf(from)) {
      if (!isLoaded || specifier.startsWith('node:')) continue
      const target = specifier.startsWith('.') ? resolve(dirname(from), specifier) : specifier
      if (!loaded.has(target)) loaded.set(target, from)
    }
  }
  return loaded
}

function checkStart(name: string, { files, never }: Start): string[] {
  const loaded = loadedWith(join(source, name))
  const count = [...loaded.keys()].filter((target) => target.startsWith(source)).length
  const breaches = never.flatMap((unwanted) =>
    [...loaded]
      .filter(([target]) => target === unwanted || target.startsWith(`${join(source, unwanted)}/`))
      .map(([target, from]) => `${name} loads ${relative(root, target)} by ${relative(root, from)}`),
  )
  return count > files ? [...breaches, `${name} loads ${count} files of src, more than ${files}`] : breaches
}

/** Breaches of the rules, one sentence each. */
export function checkImports(): string[] {
  const config = JSON.parse(readFileSync(join(source, 'modules.json'), 'utf8')) as ImportRules
  const breaches: string[] = []
  const layerOf = new Map(
    config.layers.flatMap((modules, layer) => modules.map((module) => [module, layer] as const)),
  )
  for (const [module, rules] of Object.entries(config.modules)) {
    for (const other of rules.imports) {
      if ((layerOf.get(other) ?? 99) >= (layerOf.get(module) ?? -1))
        breaches.push(`src/modules.json: ${module} may not import ${other}, which is not on a lower layer`)
    }
  }
  for (const file of filesBelow(source)) {
    for (const { specifier } of importsOf(file)) {
      const breach = checkImport(file, specifier, config)
      if (breach) breaches.push(`${relative(root, file)}: ${breach}`)
    }
  }
  for (const [name, start] of Object.entries(config.starts)) breaches.push(...checkStart(name, start))
  return breaches
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const breaches = checkImports()
  for (const breach of breaches) console.error(breach)
  console.log(
    breaches.length === 0 ? 'modules: the import rules are kept' : `modules: ${breaches.length} breaches`,
  )
  process.exitCode = breaches.length === 0 ? 0 : 1
}
