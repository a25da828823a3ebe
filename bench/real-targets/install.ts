/**
 * Installs programs from public registries and public sources, each once, in a separate folder.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

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

/** The folder of the installed packages that an environment's programs use. */
export function pythonModules(bin: string): string {
  const library = join(dirname(bin), 'lib')
  const [version = ''] = readdirSync(library)
  return join(library, version, 'site-packages')
}

/** Sources of an application that no registry has. */
export interface Sources {
  /** Repository of a public Git server. */
  readonly repository: string
  readonly commit: string
}

const CLONE = 'source'

function cloneInto(run: Run, { repository, commit }: Sources): void {
  run('git', ['clone', '--quiet', repository, CLONE])
  run('git', ['-C', CLONE, 'checkout', '--quiet', '--detach', commit])
}

/** Sources as they are. @returns their folder; start a copy, for many applications write below it */
export function clonedSources(programs: string, name: string, sources: Sources): string {
  return join(
    once(join(programs, name), (run) => cloneInto(run, sources)),
    CLONE,
  )
}

/**
 * Sources in Python, and what they need in a separate environment.
 *
 * @param needs arguments of `pip install`, relative to the folder of the sources
 * @returns the folder of the sources and that of the programs; start a copy of the sources
 */
export function pythonSources(
  programs: string,
  name: string,
  sources: Sources,
  needs: readonly string[] = ['-r', 'requirements.txt'],
): { readonly sources: string; readonly bin: string } {
  const folder = once(join(programs, name), (run) => {
    cloneInto(run, sources)
    run('python3', ['-m', 'venv', 'venv'])
    const pip = join(programs, name, 'venv/bin/pip')
    const options = ['--disable-pip-version-check', '--no-cache-dir']
    run('sh', ['-c', `cd ${CLONE} && exec "$0" "$@"`, pip, 'install', ...options, ...needs])
  })
  return { sources: join(folder, CLONE), bin: join(folder, 'venv/bin') }
}

/**
 * Sources in Node.js with what they need installed beside them.
 *
 * @param below folder of the sources that has the package
 * @returns the folder of the sources; start a copy
 */
export function nodeSources(
  programs: string,
  name: string,
  sources: Sources,
  packages: readonly string[] = [],
  below = '',
): string {
  const folder = once(join(programs, name), (run) => {
    cloneInto(run, sources)
    const own = join(programs, name, CLONE, below)
    run('npm', ['install', '--prefix', own, '--omit=dev', '--no-audit', '--no-fund', ...packages], {
      PATH: `${dirname(NATIVE_NODE)}:${process.env['PATH']}`,
      ...(NATIVE_NODE === SYSTEM_NODE ? { npm_config_nodedir: '/usr' } : {}),
    })
  })
  return join(folder, CLONE)
}

/**
 * Sources in Java, built by Maven.
 *
 * @param jar what the build leaves in `target`
 * @param pom for sources that have another build
 * @returns that file
 */
export function mavenSources(
  programs: string,
  name: string,
  sources: Sources,
  jar: string,
  pom?: string,
): string {
  const folder = once(join(programs, name), (run) => {
    cloneInto(run, sources)
    if (pom !== undefined) writeFileSync(join(programs, name, CLONE, 'pom.xml'), pom)
    run('mvn', ['-B', '-q', '-f', join(CLONE, 'pom.xml'), '-DskipTests', 'package'])
  })
  return join(folder, CLONE, 'target', jar)
}

/** Sources of a Go program. */
export interface GoSources extends Sources {
  /** Folder of the package `main`; that of the sources unless it is named. */
  readonly main?: string
}

/**
 * Sources in Go, built in their folder.
 *
 * @param changes texts of main.go, each with what is built in its place, such as an address of this machine
 * @returns the program
 */
export function goSources(
  programs: string,
  name: string,
  { main = '.', ...sources }: GoSources,
  changes: readonly (readonly [text: string, other: string])[] = [],
): string {
  const folder = once(join(programs, name), (run) => {
    cloneInto(run, sources)
    const file = join(programs, name, CLONE, main, 'main.go')
    let text = readFileSync(file, 'utf8')
    for (const [from, to] of changes) {
      if (!text.includes(from)) throw new Error(`${file} has no ${from}`)
      text = text.replace(from, to)
    }
    writeFileSync(file, text)
    const program = join(programs, name, 'program')
    run('go', ['-C', CLONE, 'build', '-o', program, `./${main}`], { CGO_ENABLED: '0' })
  })
  return join(folder, 'program')
}

/** A Go program as `package@version`. @returns the program */
export function goProgram(programs: string, name: string, source: string): string {
  const folder = once(join(programs, name), (run) =>
    run('go', ['install', source], { GOBIN: join(programs, name), CGO_ENABLED: '0' }),
  )
  // The major version at the end of a module is not the name of its program.
  return join(folder, basename(source.replace(/(?:\/v\d+)?@.*$/, '')))
}

/** A Go program of one file that uses one module, as `module@version`. @returns the program */
export function goMain(programs: string, name: string, packages: string, main: string): string {
  const folder = once(join(programs, name), (run) => {
    const at = join(programs, name)
    writeFileSync(join(at, 'main.go'), main)
    run('go', ['mod', 'init', name])
    run('go', ['get', packages])
    run('go', ['build', '-o', join(at, 'program'), '.'], { CGO_ENABLED: '0' })
  })
  return join(folder, 'program')
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

/** An archive of Maven Central as `group:artifact:version:packaging`, unpacked. @returns the folder that has its content */
export function mavenArchive(programs: string, name: string, artifact: string): string {
  return once(join(programs, name), (run) =>
    run('mvn', [
      '-B',
      'org.apache.maven.plugins:maven-dependency-plugin:3.6.1:unpack',
      `-Dartifact=${artifact}`,
      `-DoutputDirectory=${join(programs, name)}`,
    ]),
  )
}
