// `npm ci` calls this: builds, with the compilers where they are installed, and else in a copy that installs them.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..')
const LEFT_OUT = /^(?:node_modules|\.git|dist|coverage|vigil-data)(?:$|[\\/])/
const run = (command, cwd) => spawnSync(command, { cwd, stdio: 'inherit', shell: true }).status ?? 1

/** The compilers take four times the room of the program, and an installation without them is to stay as small as it is. */
function buildInCopy() {
  console.warn('vigil: building in a temporary copy, because the compilers are development dependencies')
  const copy = mkdtempSync(join(tmpdir(), 'vigil-build-'))
  const times = { recursive: true, preserveTimestamps: true }
  try {
    cpSync(root, copy, { ...times, filter: (path) => !LEFT_OUT.test(relative(root, path)) })
    const status = run('npm ci --include=dev --no-audit --no-fund', copy)
    if (status === 0) cpSync(join(copy, 'dist'), join(root, 'dist'), times)
    else
      console.error(
        'vigil: the program could not be built; what npm said is above. Run "npm ci", which builds in place, and then "npm prune --omit=dev"; or copy the folder dist from where it was built.',
      )
    return status
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

if (existsSync(join(root, 'node_modules/typescript')) && existsSync(join(root, 'node_modules/vite')))
  process.exitCode = run('npm run build', root)
else if (existsSync(join(root, 'dist/cli/main.js')))
  console.warn('vigil: dist is kept as it was built: the compilers are development dependencies')
else process.exitCode = buildInCopy()
