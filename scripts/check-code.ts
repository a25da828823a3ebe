/**
 * The code check of `npm run check`: functions of at most 60 lines and four parameters, one way to write private members
 * and increments. Files that were larger before the rule are listed with how much they exceed; the list only shrinks.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Rules of biome by what they count; their limits are in `biome.json`. */
const RULES = { lines: 'complexity/noExcessiveLinesPerFunction', parameters: 'complexity/useMaxParams' }
const LIST = 'scripts/large-functions.json'

type Counts = Partial<Record<keyof typeof RULES, number>>
type CountsByFile = Record<string, Counts>

interface Diagnostics {
  diagnostics: { category: string; location: { path: string } }[]
}

/** One way to write what the language offers two for. */
const WAYS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/^\s+(?:private|protected) (?!constructor\b)/, 'a name with # instead of private'],
  [/ [+-]= 1(?:[;),]|$)/, '++ or -- instead of += 1'],
]

/** Functions over the limits, counted by file; a suite of tests may be longer. */
function largeFunctions(root: string): CountsByFile {
  const biome = join(root, 'node_modules/.bin/biome')
  const only = Object.values(RULES).map((rule) => `--only=${rule}`)
  const { stdout, stderr } = spawnSync(
    biome,
    ['lint', '--reporter=json', '--max-diagnostics=none', ...only, 'src'],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    },
  )
  if (stdout === '') throw new Error(stderr)
  const counts: CountsByFile = {}
  for (const { category, location } of (JSON.parse(stdout) as Diagnostics).diagnostics) {
    const kind = category.endsWith(RULES.lines) ? 'lines' : 'parameters'
    if (/\.test\.tsx?$/.test(location.path)) continue
    counts[location.path] ??= {}
    const file = counts[location.path]!
    file[kind] = (file[kind] ?? 0) + 1
  }
  return counts
}

function compare(found: CountsByFile, listed: CountsByFile): string[] {
  const problems: string[] = []
  for (const path of new Set([...Object.keys(found), ...Object.keys(listed)])) {
    for (const kind of Object.keys(RULES) as (keyof typeof RULES)[]) {
      const [now, before] = [found[path]?.[kind] ?? 0, listed[path]?.[kind] ?? 0]
      const limit = kind === 'lines' ? 'of more than 60 lines' : 'with more than 4 parameters'
      if (now > before) problems.push(`${path}: ${now} functions ${limit}, at most ${before} are allowed`)
      if (now < before) problems.push(`${LIST}: ${path} has ${now} functions ${limit} now, lower its number`)
    }
  }
  return problems
}

function otherWays(root: string): string[] {
  return ['src', 'test', 'bench', 'scripts'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => join(root, folder, name))
      .flatMap((path) =>
        readFileSync(path, 'utf8')
          .split('\n')
          .flatMap((line, index) =>
            WAYS.filter(([pattern]) => pattern.test(line)).map(
              ([, instead]) => `${relative(root, path)}:${index + 1}: write ${instead}`,
            ),
          ),
      ),
  )
}

/** Breaches, one sentence each. */
export function checkCode(root: string): string[] {
  const listed = JSON.parse(readFileSync(join(root, LIST), 'utf8')) as CountsByFile
  return [...compare(largeFunctions(root), listed), ...otherWays(root)]
}

// Run by hand, it writes the list anew: for files that moved, and numbers that fell.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const root = new URL('..', import.meta.url).pathname
  const found = Object.entries(largeFunctions(root)).sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(join(root, LIST), `${JSON.stringify(Object.fromEntries(found), null, 2)}\n`)
}
