/**
 * `npm run check`: types, lint and format, the import rules, unused exports, freshness of generated files, sizes, the lock file, words,
 * documents, ignored files, merge markers; in parallel, each with what to do when it is red.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { checkCode } from './check-code.ts'
import { checkDocuments } from './check-documents.ts'
import { checkExports } from './check-exports.ts'
import { checkImports } from './check-imports.ts'
import { checkWords } from './check-words.ts'
import { staleFiles } from './generate.ts'

const root = new URL('..', import.meta.url).pathname
const MAX_LINES = 500

interface Result {
  name: string
  problems: string
  remedy: string
}

function run(name: string, remedy: string, program: string, args: string[]): Promise<Result> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root })
    let output = ''
    child.stdout.on('data', (part: Buffer) => {
      output += part
    })
    child.stderr.on('data', (part: Buffer) => {
      output += part
    })
    child.on('error', (error) => resolve({ name, problems: error.message, remedy }))
    child.on('close', (code) =>
      resolve({ name, problems: code === 0 ? '' : output || `exit ${code}`, remedy }),
    )
  })
}

function program(name: string): string {
  return join(root, 'node_modules/.bin', name)
}

function longFiles(): string[] {
  return readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.includes('.generated.'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, lines: readFileSync(path, 'utf8').split('\n').length }))
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ path, lines }) => `${relative(root, path)}: ${lines} lines`)
}

interface LockedPackage {
  license?: string
  dev?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** Whether the lock file holds `name` where a package at `from` would look for it. */
function isLocked(packages: Record<string, LockedPackage>, from: string, name: string): boolean {
  for (let at = from; ; at = at.slice(0, Math.max(at.lastIndexOf('/node_modules/'), 0))) {
    if (`${at === '' ? '' : `${at}/`}node_modules/${name}` in packages) return true
    if (at === '') return false
  }
}

/** No download address; and every package for another platform too, since `npm ci` refuses a lock file without. */
function lockFile(): string[] {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8')
  const { packages } = JSON.parse(text) as { packages: Record<string, LockedPackage> }
  const missing = Object.entries(packages).flatMap(([from, locked]) =>
    Object.keys({ ...locked.dependencies, ...locked.optionalDependencies })
      .filter((name) => !isLocked(packages, from, name))
      .map((name) => `package-lock.json lacks ${name}, which ${from || 'the project'} names`),
  )
  return /"resolved"/.test(text) ? ['package-lock.json records download addresses', ...missing] : missing
}

/** Licences under which what an installation holds may be passed on with it (OFL: fonts). */
const LICENCES: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
])

/** Packages of an installation whose licence is another, or unknown. */
function licences(): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  return Object.entries(packages)
    .filter(([path, { dev, license }]) => path !== '' && dev !== true && !LICENCES.has(license ?? ''))
    .map(([path, { license }]) => `${path}: ${license ?? 'no licence'}`)
}

/** Files of the project that the ignore rules of git keep out of every clone. */
function ignoredFiles(): string[] {
  if (!existsSync(join(root, '.git'))) return []
  const listed = spawnSync(
    'git',
    ['ls-files', '--others', '--ignored', '--exclude-standard', 'src', 'test', 'bench', 'scripts', 'docs'],
    { cwd: root, encoding: 'utf8' },
  )
  if (listed.status !== 0) return [listed.stderr || String(listed.error)]
  return listed.stdout
    .split('\n')
    .filter((path) => path !== '')
    .map((path) => `${path} is ignored by git`)
}

/** Lines that git leaves where a merge was not finished. */
function mergeMarkers(): string[] {
  if (!existsSync(join(root, '.git'))) return []
  const found = spawnSync('git', ['grep', '--line-number', '-E', '^(<{7}|>{7}) '], {
    cwd: root,
    encoding: 'utf8',
  })
  // 1: nothing was found.
  if (found.status === 1) return []
  return (found.status === 0 ? found.stdout : found.stderr).trim().split('\n')
}

const SCANNER = 'dist/wasm/batch-scanner.wasm'

/** Digest of the module, its sources and its compiler: what was compared once needs no second comparison. */
function scannerState(): string {
  const sources = join(root, 'src/http/scanned/assembly')
  const files = readdirSync(sources).map((file) => join(sources, file))
  const compiler = join(root, 'node_modules/assemblyscript/package.json')
  const digest = createHash('sha256')
  for (const file of [...files.sort(), compiler, join(root, SCANNER)]) {
    digest.update(file).update(existsSync(file) ? readFileSync(file) : '')
  }
  return digest.digest('hex')
}

/** The module in `dist` is the one that the present sources give. */
async function scannerModule(): Promise<Result> {
  const name = 'scanner module'
  const remedy = 'run: npm run build:wasm'
  const stamp = join(root, 'node_modules/.cache/scanner-module')
  const state = scannerState()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === state) return { name, problems: '', remedy }
  const folder = mkdtempSync(join(tmpdir(), 'vigil-wasm-'))
  try {
    const fresh = join(folder, 'fresh.wasm')
    const config = 'src/http/scanned/assembly/asconfig.json'
    const built = await run(name, remedy, program('asc'), ['--config', config, '--outFile', fresh])
    if (built.problems !== '') return built
    const isSame = readFileSync(fresh).equals(readFileSync(join(root, SCANNER)))
    if (isSame) {
      mkdirSync(dirname(stamp), { recursive: true })
      writeFileSync(stamp, state)
    }
    return {
      name,
      problems: isSame ? '' : 'dist/wasm/batch-scanner.wasm is not what its sources give',
      remedy,
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const results = await Promise.all([
  scannerModule(),
  run('types', 'fix the types', program('tsc'), ['-p', 'tsconfig.json']),
  run('types of the dashboard', 'fix the types', program('tsc'), ['-p', 'tsconfig.dashboard.json']),
  run('lint and format', 'run: npx biome check --write .', program('biome'), [
    'check',
    '--max-diagnostics=40',
    '--error-on-warnings',
    '.',
  ]),
  Promise.resolve({
    name: 'imports',
    problems: checkImports().join('\n'),
    remedy: 'see src/modules.json and docs/architecture.md',
  }),
  Promise.resolve({
    name: 'exports',
    problems: checkExports(root).join('\n'),
    remedy: 'take the word export, or the name in an index.ts, away; remove what nobody uses',
  }),
  staleFiles().then((files) => ({
    name: 'generated files',
    problems: files.join('\n'),
    remedy: 'run: npm run generate',
  })),
  Promise.resolve({ name: 'sizes', problems: longFiles().join('\n'), remedy: 'split by meaning' }),
  Promise.resolve({
    name: 'code',
    problems: checkCode(root).join('\n'),
    remedy:
      'split the function, or hand it one object; node scripts/check-code.ts writes the list of large functions',
  }),
  Promise.resolve({ name: 'licences', problems: licences().join('\n'), remedy: 'use another package' }),
  Promise.resolve({
    name: 'lock file',
    problems: lockFile().join('\n'),
    remedy: 'npm install with the settings of .npmrc; hold a package at a release that every platform has',
  }),
  Promise.resolve({
    name: 'words',
    problems: checkWords(root).join('\n'),
    remedy: 'write plain English and the words of the field, see "Words" in CONTRIBUTING.md',
  }),
  Promise.resolve({
    name: 'documents',
    problems: checkDocuments(root).join('\n'),
    remedy: 'mend the link or the page; what a decision needs is in CONTRIBUTING.md',
  }),
  Promise.resolve({
    name: 'merge markers',
    problems: mergeMarkers().join('\n'),
    remedy: 'finish the merge',
  }),
  Promise.resolve({
    name: 'ignored files',
    problems: ignoredFiles().join('\n'),
    remedy: 'narrow .gitignore, or move the file out of the project',
  }),
])
for (const { name, problems, remedy } of results) {
  console.log(problems === '' ? `ok    ${name}` : `FAIL  ${name}: ${remedy}\n${problems}`)
}
process.exitCode = results.every((result) => result.problems === '') ? 0 : 1
