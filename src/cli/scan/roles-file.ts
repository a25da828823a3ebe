import { parse } from 'yaml'
import { Failure } from '../../kit/index.ts'
import { didYouMean } from '../did-you-mean.ts'
import { fileReason } from '../file-reason.ts'
import { readTextFile } from '../read-text-file.ts'

/** Who tests act as. */
export interface ScanRole {
  /** ATTACKER and USER have their own meaning, other names are those that tests ask for. */
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  /** Requests that sign in, in their order; null when the headers alone do, or a recording. */
  readonly login: readonly LoginRequest[] | null
  /** Absent without a recorded login. */
  readonly recording?: RoleRecording
}

/** A login recorded in a browser; the headers of the role take its token as `${login.response.body.token}`. */
interface RoleRecording {
  /** JSON text of the steps, with the secret of one-time codes where the role names one. */
  readonly content: string
  /** JavaScript expression that yields the token. */
  readonly token: string
}

/** A request of a login; later ones, and the headers of the role, take values of its answer. */
interface LoginRequest {
  /** Under which values of its answer are found. */
  readonly name: string
  readonly method: string
  /** Absolute, or a path at the target. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Secret of the one-time code that `${totp}` stands for. */
  readonly totp?: string
}

const VARIABLE = /\$\{([A-Z_][A-Z0-9_]*)\}/g
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,99}$/
/** A name in capitals would be a variable of the environment, and one with a dot a part of an answer. */
const REQUEST_NAME = /^[a-z][A-Za-z0-9_-]{0,49}$/
/** The last request of a login, unless it has another name. */
const LAST_REQUEST = 'login'
/** What a role holds that is more than headers. */
const ROLE_WORDS = ['login', 'headers', 'recording', 'token', 'totp']
const REQUEST_WORDS = ['name', 'url', 'method', 'headers', 'body', 'totp']

/**
 * Reads a file of roles, with values of variables in place of `${NAME}`.
 *
 * @throws Failure BAD_COMMAND that says where the fault is, and never a value
 */
export function readRolesFile(path: string, env: Readonly<Record<string, string | undefined>>): ScanRole[] {
  const bad = (reason: string): Failure =>
    new Failure('BAD_COMMAND', { reason: `--roles ${path}: ${reason}` })
  const text = readTextFile(path, bad)
  try {
    return readRoles(parse(text, { maxAliasCount: 20 }), env, bad)
  } catch (error) {
    if (error instanceof Failure) throw error
    // The message of the parser quotes the line, which may hold a secret.
    const { linePos } = error as { linePos?: { line: number }[] }
    throw bad(linePos?.[0] === undefined ? fileReason(error) : `not YAML in line ${linePos[0].line}`)
  }
}

/**
 * Reads roles that were parsed.
 *
 * @param bad makes the failure of a fault
 */
export function readRoles(
  tree: unknown,
  env: Readonly<Record<string, string | undefined>>,
  bad: (reason: string) => Failure,
): ScanRole[] {
  if (!isMap(tree) || Object.keys(tree).length === 0) throw bad('must map names of roles to their headers')
  const roles = Object.entries(tree).map(([name, value]) => readRole(name, value, env, bad))
  const names = roles.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw bad(`${twice} is there twice`)
  return roles
}

type Bad = (reason: string) => Failure

function readRole(
  name: string,
  value: unknown,
  env: Readonly<Record<string, string | undefined>>,
  bad: Bad,
): ScanRole {
  if (!NAME.test(name)) throw bad(`${JSON.stringify(name.slice(0, 50))} is not a name for a role`)
  if (!isMap(value)) throw bad(`${name} must hold headers, or login and headers`)
  const upper = name.toUpperCase()
  const known = upper === 'ATTACKER' || upper === 'USER' ? upper : name
  const at =
    (where: string): Bad =>
    (reason) =>
      bad(`${name}.${where} ${reason}`)
  if (!('login' in value) && !('recording' in value) && !isMap(value['headers'])) {
    const odd = Object.keys(value).find((word) => isMap(value[word]) || Array.isArray(value[word]))
    if (odd !== undefined)
      throw bad(`${name}.${odd} must be text, the value of a header${didYouMean(odd, ROLE_WORDS)}`)
    return { name: known, headers: readHeaders(value, env, at('headers')), login: null }
  }
  const odd = Object.keys(value).find((word) => !ROLE_WORDS.includes(word))
  if (odd !== undefined) throw bad(`${name} has no ${odd} beside login${didYouMean(odd, ROLE_WORDS)}`)
  if ('totp' in value && !('recording' in value))
    throw at('totp')('is for a recording: write the secret into the request that sends the code')
  if (!('headers' in value))
    throw at('headers')('is missing: name the header that takes a value of the login, such as Authorization')
  const headers = readHeaders(value['headers'], env, at('headers'))
  return {
    name: known,
    headers,
    login: value['login'] === undefined ? null : readLogin(value['login'], env, at('login')),
    ...('recording' in value ? { recording: readRecording(value, env, at('recording')) } : {}),
  }
}

function readLogin(
  value: unknown,
  env: Readonly<Record<string, string | undefined>>,
  bad: Bad,
): LoginRequest[] {
  if (!Array.isArray(value)) return [readLoginRequest(value, LAST_REQUEST, env, bad)]
  if (value.length === 0) throw bad('must have a request')
  const requests = value.map((one, at) => {
    const ofRequest: Bad = (reason) => bad(`(request ${at + 1}) ${reason}`)
    const name = at === value.length - 1 ? LAST_REQUEST : `login${at + 1}`
    return readLoginRequest(one, name, env, ofRequest)
  })
  const names = requests.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw bad(`has two requests named ${twice}`)
  return requests
}

function readLoginRequest(
  value: unknown,
  unnamed: string,
  env: Readonly<Record<string, string | undefined>>,
  bad: Bad,
): LoginRequest {
  if (!isMap(value) || typeof value['url'] !== 'string') throw bad('must be a map with a url')
  const odd = Object.keys(value).find((word) => !REQUEST_WORDS.includes(word))
  if (odd !== undefined) throw bad(`has no ${odd}${didYouMean(odd, REQUEST_WORDS)}`)
  const { body, name, totp } = value
  if (name !== undefined && !REQUEST_NAME.test(String(name)))
    throw bad('has a name that does not begin with a small letter, or holds more than letters and digits')
  if (totp !== undefined && typeof totp !== 'string') throw bad('needs the secret of totp as text')
  const text =
    body === undefined || body === null ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  return {
    name: name === undefined ? unnamed : String(name),
    method:
      typeof value['method'] === 'string' ? value['method'].toUpperCase() : text === '' ? 'GET' : 'POST',
    url: filled(value['url'], env, bad),
    headers: value['headers'] === undefined ? jsonHeaders(body) : readHeaders(value['headers'], env, bad),
    body: filled(text, env, bad, typeof body === 'object'),
    ...(totp === undefined ? {} : { totp: filled(totp, env, bad) }),
  }
}

function readRecording(
  { recording, token, totp, login }: Record<string, unknown>,
  env: Readonly<Record<string, string | undefined>>,
  bad: Bad,
): RoleRecording {
  if (login !== undefined) throw bad('and login exclude each other')
  if (typeof recording !== 'string' || typeof token !== 'string')
    throw bad('needs a file, and token, the JavaScript expression that yields the token')
  const steps = stepsOf(recording, bad)
  const secret = typeof totp === 'string' ? { totp: filled(totp, env, bad) } : {}
  const whole = Array.isArray(steps) ? { steps, ...secret } : { ...(steps as object), ...secret }
  return { content: filled(JSON.stringify(whole), env, bad, true), token: filled(token, env, bad) }
}

/** The steps as they were exported; never quoted, because they hold what was typed. */
function stepsOf(path: string, bad: Bad): unknown {
  const text = readTextFile(path, (reason) => bad(`${path} cannot be read: ${reason}`))
  try {
    const steps: unknown = JSON.parse(text)
    if (Array.isArray(steps) || isMap(steps)) return steps
  } catch {
    throw bad(`${path} is not JSON`)
  }
  throw bad(`${path} must hold an object or a list of steps`)
}

function jsonHeaders(body: unknown): Record<string, string> {
  return typeof body === 'object' && body !== null ? { 'content-type': 'application/json' } : {}
}

function readHeaders(
  value: unknown,
  env: Readonly<Record<string, string | undefined>>,
  bad: Bad,
): Record<string, string> {
  if (!isMap(value) || Object.keys(value).length === 0) throw bad('must name at least one header')
  return Object.fromEntries(
    Object.entries(value).map(([header, text]) => {
      if (typeof text !== 'string' && typeof text !== 'number') throw bad(`needs text for ${header}`)
      return [header, filled(String(text), env, bad)]
    }),
  )
}

/** @param isJson values go into a JSON text */
function filled(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
  bad: Bad,
  isJson = false,
): string {
  return text.replace(VARIABLE, (_all, name: string) => {
    const value = env[name]
    if (value === undefined || value === '')
      throw bad(`needs the environment variable ${name}, which is not set`)
    return isJson ? JSON.stringify(value).slice(1, -1) : value
  })
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
