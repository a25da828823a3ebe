/**
 * `npm run check`: types, lint and format, the import law, freshness of generated files, sizes, the lock file; in
 * parallel, each with what to do when it is red.
 */
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { checkRooms } from './check-rooms.ts'
import { staleFiles } from './generate.ts'

const root = new URL('..', import.meta.url).pathname
const MAX_LINES = 500

interface Result {
  name: string
  problems: string
  cure: string
}

function run(name: string, cure: string, program: string, args: string[]): Promise<Result> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root })
    let output = ''
    child.stdout.on('data', (part: Buffer) => {
      output += part
    })
    child.stderr.on('data', (part: Buffer) => {
      output += part
    })
    child.on('error', (error) => resolve({ name, problems: error.message, cure }))
    child.on('close', (code) => resolve({ name, problems: code === 0 ? '' : output || `exit ${code}`, cure }))
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

function lockFile(): string[] {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8')
  return /"resolved"/.test(text) ? ['package-lock.json records download addresses'] : []
}

const results = await Promise.all([
  run('types', 'fix the types', program('tsc'), ['-p', 'tsconfig.json']),
  run('types of the dashboard', 'fix the types', program('tsc'), ['-p', 'tsconfig.dashboard.json']),
  run('lint and format', 'run: npx biome check --write .', program('biome'), [
    'check',
    '--max-diagnostics=40',
    '--error-on-warnings',
    '.',
  ]),
  Promise.resolve({
    name: 'rooms',
    problems: checkRooms().join('\n'),
    cure: 'see src/rooms.json and docs/architecture.md',
  }),
  staleFiles().then((files) => ({
    name: 'generated files',
    problems: files.join('\n'),
    cure: 'run: npm run generate',
  })),
  Promise.resolve({ name: 'sizes', problems: longFiles().join('\n'), cure: 'split by meaning' }),
  Promise.resolve({
    name: 'lock file',
    problems: lockFile().join('\n'),
    cure: 'npm install with the settings of .npmrc',
  }),
])
for (const { name, problems, cure } of results) {
  console.log(problems === '' ? `ok    ${name}` : `FAIL  ${name}: ${cure}\n${problems}`)
}
process.exitCode = results.every((result) => result.problems === '') ? 0 : 1
