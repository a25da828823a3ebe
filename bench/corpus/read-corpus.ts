import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One YAML file of a library. */
export interface CorpusFile {
  readonly path: string
  readonly text: string
}

/** Every YAML file below a folder, or of the given branches of a Git directory without work tree. */
export function readCorpus(source: string, branches: readonly string[]): CorpusFile[] {
  if (!existsSync(join(source, 'objects'))) return readFolder(source)
  return branches.flatMap((branch) => readBranch(source, branch))
}

function readFolder(folder: string): CorpusFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.ya?ml$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
}

function readBranch(repository: string, branch: string): CorpusFile[] {
  const git = (args: readonly string[]): Buffer =>
    execFileSync('git', ['--git-dir', repository, ...args], { maxBuffer: 1 << 28 })
  const names = git(['ls-tree', '-r', '-z', '--name-only', branch]).toString('utf8').split('\0')
  return names
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => ({ path: `${branch}:${name}`, text: git(['show', `${branch}:${name}`]).toString('utf8') }))
}
