/**
 * Installs programs from public registries, each once, in a separate folder.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A failing installer's last lines are in the log of the folder. */
function once(folder: string, install: (run: Run) => void): string {
  const done = join(folder, 'installed')
  if (existsSync(done)) return folder
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const log = join(folder, 'install.log')
  console.error(`installing ${folder}; log: ${log}`)
  install((command, args, env = {}) => {
    const output = openSync(log, 'a')
    const { status, error } = spawnSync(command, args, {
      cwd: folder,
      stdio: ['ignore', output, output],
      env: { ...process.env, ...env },
    })
    if (error !== undefined) throw error
    if (status !== 0) throw new Error(`${command} ended with ${status}; see ${log}`)
  })
  writeFileSync(done, '')
  return folder
}

type Run = (command: string, args: readonly string[], env?: Readonly<Record<string, string>>) => void

const SYSTEM_HEADERS = '/usr/include/node'
const SYSTEM_NODE = '/usr/bin/node'

/** The Node.js for packages with native parts: they are built with the system's headers, where there are any. */
export const NATIVE_NODE = existsSync(SYSTEM_HEADERS) ? SYSTEM_NODE : process.execPath

/** npm packages as `name@version`. @returns the folder that has node_modules */
export function npmPackages(programs: string, name: string, packages: readonly string[]): string {
  return once(join(programs, name), (run) => {
    writeFileSync(
      join(programs, name, 'package.json'),
      JSON.stringify({ name: `target-${name}`, private: true }),
    )
    run('npm', ['install', '--no-audit', '--no-fund', '--save-exact', ...packages], {
      PATH: `${dirname(NATIVE_NODE)}:${process.env['PATH']}`,
      ...(NATIVE_NODE === SYSTEM_NODE ? { npm_config_nodedir: '/usr' } : {}),
    })
  })
}

/** PyPI packages as `name==version`, in an environment of their own. @returns its folder of programs */
export function pythonPackages(programs: string, name: string, packages: readonly string[]): string {
  const folder = once(join(programs, name), (run) => {
    run('python3', ['-m', 'venv', 'venv'])
    run(join(programs, name, 'venv/bin/pip'), [
      'install',
      '--disable-pip-version-check',
      '--no-cache-dir',
      ...packages,
    ])
  })
  return join(folder, 'venv/bin')
}

/** A Go program as `package@version`. @returns the program */
export function goProgram(programs: string, name: string, source: string): string {
  const folder = once(join(programs, name), (run) =>
    run('go', ['install', source], { GOBIN: join(programs, name), CGO_ENABLED: '0' }),
  )
  return join(folder, source.replace(/@.*$/, '').split('/').at(-1)!)
}

/** A file of Maven Central as `group:artifact:version[:packaging]`. @returns the file */
export function mavenArtifact(programs: string, name: string, artifact: string): string {
  const [, id = '', version = '', packaging = 'jar'] = artifact.split(':')
  const folder = once(join(programs, name), (run) =>
    run('mvn', [
      '-B',
      'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:copy',
      `-Dartifact=${artifact}`,
      `-DoutputDirectory=${join(programs, name)}`,
    ]),
  )
  return join(folder, `${id}-${version}.${packaging}`)
}
