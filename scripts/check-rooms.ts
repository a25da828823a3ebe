/**
 * The import law: rooms on floors, imports go down, another room and a closed folder of the same room only through its
 * index.ts, npm packages only where `src/rooms.json` allows them. Tests may also import what is beside them and `test/`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

interface Rooms {
  floors: string[][]
  rooms: Record<string, Room>
}

interface Room {
  purpose: string
  imports: string[]
  packages: string[]
  /** Folders that files outside of them reach only through their `index.ts`. */
  closed?: string[]
}

const root = new URL('..', import.meta.url).pathname
const source = join(root, 'src')
const builtins = new Set(builtinModules)
const IMPORT =
  /(?:^|[\s;}])(?:import|export)\s+(?:type\s+)?(?:[\w*{},\s$]+?\s+from\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g

/** Every file below a folder with one of the endings. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
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
  const faces = other === 'contract' ? ['index.ts', 'browser.ts', 'client.ts', 'vocabulary.ts'] : ['index.ts']
  return faces.includes(face) ? null : `import ${other} through its index.ts, not ${face}`
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
    const text = withoutComments(readFileSync(file, 'utf8'))
    for (const match of text.matchAll(IMPORT)) {
      const breach = checkImport(file, (match[1] ?? match[2])!, law)
      if (breach) breaches.push(`${relative(root, file)}: ${breach}`)
    }
  }
  return breaches
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const breaches = checkRooms()
  for (const breach of breaches) console.error(breach)
  console.log(breaches.length === 0 ? 'rooms: the import law is kept' : `rooms: ${breaches.length} breaches`)
  process.exitCode = breaches.length === 0 ? 0 : 1
}
