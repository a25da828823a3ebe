/**
 * The import law: rooms on floors, imports go down, another room only through its index.ts or what `public` lists,
 * a closed folder of the same room only through its index.ts, npm packages only where `src/rooms.json` allows them. Tests may also import what is beside them and `test/`. What each
 * thread and process loads when it starts is bounded (`starts`).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

interface Rooms {
  floors: string[][]
  rooms: Record<string, Room>
  starts: Record<string, Start>
}

interface Room {
  purpose: string
  imports: string[]
  packages: string[]
  /** Files besides `index.ts` that other rooms may import: parts that load less, or that one thread needs. */
  public?: string[]
  /** Folders that files outside of them reach only through their `index.ts`. */
  closed?: string[]
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

function roomOf(path: string): string {
  return relative(source, path).split('/')[0]!
}

function packageOf(specifier: string): string {
  const parts = specifier.split('/')
  return specifier.startsWith('@') ? `${parts[0]}/${parts[1]}` : parts[0]!
}

function isAllowedPackage(name: string, allowed: readonly string[]): boolean {
  return allowed.some((rule) => (rule.endsWith('/*') ? name.startsWith(rule.slice(0, -1)) : rule === name))
}

function checkImport(file: string, specifier: string, law: Rooms): string | null {
  const room = roomOf(file)
  const rules = law.rooms[room]
  if (rules === undefined) return `the room "${room}" is not in src/rooms.json`
  const isTest = /\.test\.tsx?$/.test(file)
  if (!specifier.startsWith('.')) {
    if (specifier.startsWith('node:')) {
      return room === 'dashboard' && !isTest ? `the dashboard runs in a browser: ${specifier}` : null
    }
    if (builtins.has(specifier)) return `write node:${specifier}`
    const name = packageOf(specifier)
    if (isTest || isAllowedPackage(name, rules.packages)) return null
    return `the package ${name} is not allowed in ${room} (src/rooms.json)`
  }
  const target = resolve(dirname(file), specifier)
  if (!target.startsWith(`${source}/`)) return isTest ? null : `imports outside src: ${specifier}`
  const other = roomOf(target)
  if (isTest) return null
  if (other === room) return closedBreach(file, target, join(source, room), rules.closed ?? [])
  if (!rules.imports.includes(other)) return `${room} may not import ${other} (src/rooms.json)`
  const face = relative(join(source, other), target)
  const faces = ['index.ts', ...(law.rooms[other]?.public ?? [])]
  return faces.includes(face) ? null : `import ${other} through ${faces.join(' or ')}, not ${face}`
}

/** Why a file may not import another of its room; null when it may. */
function closedBreach(file: string, target: string, room: string, closed: readonly string[]): string | null {
  for (const folder of closed) {
    const wall = `${join(room, folder)}/`
    if (!target.startsWith(wall) || file.startsWith(wall)) continue
    const face = target.slice(wall.length)
    if (face !== 'index.ts') return `import ${folder} through its index.ts, not ${face}`
  }
  return null
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

/** Breaches of the law, one sentence each. */
export function checkRooms(): string[] {
  const law = JSON.parse(readFileSync(join(source, 'rooms.json'), 'utf8')) as Rooms
  const breaches: string[] = []
  const floorOf = new Map(law.floors.flatMap((rooms, floor) => rooms.map((room) => [room, floor] as const)))
  for (const [room, rules] of Object.entries(law.rooms)) {
    for (const other of rules.imports) {
      if ((floorOf.get(other) ?? 99) >= (floorOf.get(room) ?? -1))
        breaches.push(`src/rooms.json: ${room} may not import ${other}, which is not on a lower floor`)
    }
  }
  for (const file of filesBelow(source)) {
    for (const { specifier } of importsOf(file)) {
      const breach = checkImport(file, specifier, law)
      if (breach) breaches.push(`${relative(root, file)}: ${breach}`)
    }
  }
  for (const [name, start] of Object.entries(law.starts)) breaches.push(...checkStart(name, start))
  return breaches
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const breaches = checkRooms()
  for (const breach of breaches) console.error(breach)
  console.log(breaches.length === 0 ? 'rooms: the import law is kept' : `rooms: ${breaches.length} breaches`)
  process.exitCode = breaches.length === 0 ? 0 : 1
}
