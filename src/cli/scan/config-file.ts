import { parse } from 'yaml'
import { Failure, nearestWord } from '../../kit/index.ts'
import { fileReason } from '../file-reason.ts'
import { readTextFile } from '../read-text-file.ts'

const MAX_ALIASES = 20

/** A scan as a file describes it, in the words of the command line. */
export interface ConfigFile {
  readonly files: readonly string[]
  /** Values of options by their names, lists joined by commas. */
  readonly options: Readonly<Record<string, string>>
  /** Roles in the file itself; undefined when they do not. */
  readonly roles: unknown
}

/**
 * Reads a file such as `vigil.yaml`: names of options with their values, `files`, `roles` (a file, or the roles
 * themselves) and `reports` (format to file).
 *
 * @param known options that a file may hold
 * @throws Failure BAD_COMMAND that says where the fault is, and never a value of a role
 */
export function readConfigFile(
  path: string,
  known: readonly string[],
  switches: readonly string[],
): ConfigFile {
  const bad = (reason: string): Failure =>
    new Failure('BAD_COMMAND', { reason: `--config ${path}: ${reason}` })
  const text = readTextFile(path, bad)
  let tree: unknown
  try {
    tree = parse(text, { maxAliasCount: MAX_ALIASES })
  } catch (error) {
    const { linePos } = error as { linePos?: { line: number }[] }
    throw bad(linePos?.[0] === undefined ? fileReason(error) : `not YAML in line ${linePos[0].line}`)
  }
  if (!isMap(tree)) throw bad('must map options to their values')
  const { files, roles, reports = {}, ...rest } = tree
  if (!isMap(reports)) throw bad('reports must map formats to files')
  const options: Record<string, string> = {}
  for (const [name, value] of [...Object.entries(rest), ...Object.entries(reports)]) {
    if (!known.includes(name) && !switches.includes(name)) {
      const nearest = nearestWord(name, [...known, ...switches])
      throw bad(`${name} is not an option${nearest === null ? '' : `; did you mean ${nearest}?`}`)
    }
    if (value === null || (switches.includes(name) && value === false)) continue
    options[name] = textOf(value, () => bad(`${name} must be a text, a number or a list of them`))
  }
  if (roles !== undefined && roles !== null && typeof roles !== 'string' && !isMap(roles))
    throw bad('roles must be a file, or map names of roles to their headers')
  if (typeof roles === 'string') options['roles'] = roles
  const listed = files === undefined || files === null ? [] : Array.isArray(files) ? files : [files]
  if (!listed.every((file) => typeof file === 'string')) throw bad('files must be a list of file names')
  return { files: listed as string[], options, roles: isMap(roles) ? roles : undefined }
}

function textOf(value: unknown, bad: () => Failure): string {
  const values = Array.isArray(value) ? value : [value]
  if (!values.every((one) => ['string', 'number', 'boolean'].includes(typeof one))) throw bad()
  return values.map(String).join(',')
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
