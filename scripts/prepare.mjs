// `npm ci` calls this: builds where the compilers are installed, and otherwise keeps what was built before.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const at = (path) => new URL(`../${path}`, import.meta.url)
if (existsSync(at('node_modules/typescript')) && existsSync(at('node_modules/vite'))) {
  const { status } = spawnSync('npm run build', { cwd: at('.'), stdio: 'inherit', shell: true })
  process.exitCode = status ?? 1
} else if (existsSync(at('dist/cli/main.js'))) {
  console.warn('vigil: dist is kept as it was built: the compilers are development dependencies')
} else {
  console.warn(
    'vigil: the program is not built, because the compilers are development dependencies. Run "npm ci", which builds, and then "npm prune --omit=dev"; or copy the folder dist from where it was built.',
  )
}
