import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Problem } from '../../rules/index.ts'
import { parseTemplate, type Template } from '../../testing/index.ts'
import { isNoTest } from '../test-runs/is-no-test.ts'
import { scanFolder } from '../test-runs/scan-folder.ts'

const MAX_BYTES = 1_048_576
const START = { line: 1, column: 1, path: '' }

/** A file of a test as a server would take it. */
export interface TemplateFile {
  /** To read it. */
  readonly path: string
  /** To name it. */
  readonly name: string
  /** Null when it cannot be used; `problems` say why. */
  readonly template: Template | null
  /** YAML of something else, such as a filter of live traffic. */
  readonly isOther: boolean
  readonly problems: readonly Problem[]
}

/** Reads files and, with all subfolders, folders of tests; what cannot be read is a problem of its name. */
export async function readTemplateFiles(paths: readonly string[]): Promise<TemplateFile[]> {
  const files: TemplateFile[] = []
  for (const path of paths) {
    if (existsSync(path) && !statSync(path).isDirectory()) {
      files.push(await readTemplateFile(path, basename(path)))
      continue
    }
    const scan = await scanFolder(path)
    for (const { name, sentence } of scan.problems) files.push(unusable(path, name, sentence))
    for (const file of scan.files) files.push(await readTemplateFile(file.path, file.name))
  }
  return files
}

async function readTemplateFile(path: string, name: string): Promise<TemplateFile> {
  if (statSync(path).size > MAX_BYTES)
    return unusable(path, name, `The file is larger than ${MAX_BYTES} bytes.`)
  const content = await readFile(path, 'utf8')
  const { template, problems } = parseTemplate(content, name)
  if (template === null && isNoTest(content)) return { path, name, template, isOther: true, problems: [] }
  return { path, name, template, isOther: false, problems }
}

function unusable(path: string, name: string, message: string): TemplateFile {
  const problems = [{ severity: 'error' as const, message, place: START, nearest: null }]
  return { path, name, template: null, isOther: false, problems }
}
