import { Random, seedOf, Zipf } from './random.ts'
import { type ParamFacts, ValueSource } from './values.ts'

/** One operation of an API: true template, method, answer, parameters, flattened key names with "required". */
export interface Operation {
  path: string
  method: string
  code: number
  text: string
  params: readonly ParamFacts[]
  resp: readonly (readonly [string, boolean])[]
  req: readonly (readonly [string, boolean])[]
}

/** One request of the made traffic; `truth` is the canonical template, null for scanner noise. */
export interface Request {
  method: string
  path: string
  truth: string | null
  status: number
  mediaType: string
  keys: readonly string[]
}

export interface TrafficOptions {
  seed: number
  /** Mean number of requests per operation. */
  perOperation: number
  noiseShare: number
  errorShare: number
}

export const DEFAULT_TRAFFIC: TrafficOptions = {
  seed: 1,
  perOperation: 100,
  noiseShare: 0.03,
  errorShare: 0.03,
}

const ERROR_KEYS: readonly string[] = ['message', 'code', 'errors', 'errors#$#field', 'errors#$#code']
const NOISE_WORDS =
  'wp-admin wp-login.php .env .git config.php phpmyadmin admin.php shell.php backup.zip xmlrpc.php cgi-bin server-status actuator vendor phpunit setup.cgi boaform hudson owa autodiscover remote fgt_lang solr jmx-console'.split(
    ' ',
  )

/** The template with every parameter segment as `{}`, custom verbs kept: what predictions are compared with. */
export function canonical(template: string): string {
  return template
    .split('/')
    .map((segment) => (segment.includes('{') ? `{}${/\}(:[A-Za-z]+)$/.exec(segment)?.[1] ?? ''}` : segment))
    .join('/')
}

function encode(value: string): string {
  return encodeURIComponent(value)
}

/** Makes the traffic of one API. Deterministic in the seed. */
export function makeTraffic(
  api: string,
  operations: readonly Operation[],
  options: TrafficOptions,
): Request[] {
  const random = new Random(seedOf(api, options.seed))
  const order = random.shuffle([...operations])
  const zipf = new Zipf(order.length, 1)
  const sources = new Map<string, ValueSource>()
  const keepOptional = random.pick([0.6, 0.75, 0.9])
  const literals = literalTokens(operations)
  const requests: Request[] = []
  const total = operations.length * options.perOperation
  for (let i = 0; i < total; i++) {
    if (random.chance(options.noiseShare)) requests.push(makeNoise(random))
    const operation = order[zipf.draw(random)]!
    requests.push(makeRequest(api, operation, random, sources, literals, keepOptional, options))
  }
  return requests
}

function makeRequest(
  api: string,
  operation: Operation,
  random: Random,
  sources: Map<string, ValueSource>,
  literals: ReadonlySet<string>,
  keepOptional: number,
  options: TrafficOptions,
): Request {
  const path = operation.path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const param = operation.params.find((p) => p.name === name) ?? { name, type: 'string' }
    const key = `${name} ${param.type} ${param.format} ${JSON.stringify(param.enum ?? param.example)}`
    let source = sources.get(key)
    if (!source) {
      source = new ValueSource(api, param, options.seed)
      sources.set(key, source)
    }
    let value = source.draw(random)
    // A value that equals a static segment of the API would make the truth ambiguous.
    for (let tries = 0; literals.has(value) && tries < 5; tries++) value = source.draw(random)
    return encode(value)
  })
  if (random.chance(options.errorShare)) {
    const status = random.pick([400, 401, 403, 404, 404, 422, 500])
    return {
      method: operation.method,
      path,
      truth: canonical(operation.path),
      status,
      mediaType: 'application/json',
      keys: ERROR_KEYS,
    }
  }
  const keys: string[] = []
  for (const [key, required] of operation.resp) if (required || random.chance(keepOptional)) keys.push(key)
  for (const [key, required] of operation.req)
    if (required || random.chance(keepOptional)) keys.push(`>${key}`)
  return {
    method: operation.method,
    path,
    truth: canonical(operation.path),
    status: operation.code,
    mediaType: operation.text,
    keys,
  }
}

function makeNoise(random: Random): Request {
  const words: string[] = []
  for (let i = random.integer(1, 3); i > 0; i--) {
    words.push(
      random.chance(0.6)
        ? random.pick(NOISE_WORDS)
        : random.text(random.integer(4, 9), 'abcdefghijklmnopqrstuvwxyz'),
    )
  }
  return {
    method: 'GET',
    path: `/${words.join('/')}`,
    truth: null,
    status: 404,
    mediaType: 'text/html',
    keys: [],
  }
}

function literalTokens(operations: readonly Operation[]): Set<string> {
  const tokens = new Set<string>()
  for (const { path } of operations) {
    for (const segment of path.split('/')) if (!segment.includes('{')) tokens.add(segment)
  }
  return tokens
}

const FIELD_NAMES =
  'id name title description status state created_at updated_at url type owner email price currency total amount quantity count tags notes code key value label position size width height color language country city street zip phone start end date due priority score rank rating comment author category parent children items links version hash path file mime enabled visible public locked archived expires last_login balance limit rate'.split(
    ' ',
  )

/**
 * Operations of an API known by its routes alone. Answers are made up: every entity (last static segment) has its own
 * fields, lists wrap them, changes answer with the item or with nothing.
 */
export function operationsOfRoutes(
  api: string,
  routes: readonly string[],
  params: Readonly<Record<string, ParamFacts>> = {},
): Operation[] {
  return routes.map((route) => {
    const [method, path] = route.split(' ') as [string, string]
    const names = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]!)
    const statics = path.split('/').filter((segment) => segment !== '' && !segment.includes('{'))
    const entity = statics.at(-1) ?? 'root'
    const random = new Random(seedOf(`${api} ${entity} ${statics.at(-2)}`, 5))
    const fields = random
      .shuffle([...FIELD_NAMES])
      .slice(0, random.integer(5, 18))
      .concat([`${entity}_id`, `${entity}_name`])
    const isEmpty = method === 'DELETE' || (method !== 'GET' && random.chance(0.3))
    const isItem = path.endsWith('}')
    const shaped = fields.map((field): [string, boolean] => [
      isItem || method !== 'GET' ? field : `data#$#${field}`,
      random.chance(0.5),
    ])
    return {
      method,
      path,
      code: isEmpty ? 204 : method === 'POST' ? 201 : 200,
      text: isEmpty ? '' : 'application/json',
      params: names.map((name) => params[name] ?? { name, type: 'string' }),
      resp: isEmpty ? [] : shaped,
      req:
        method === 'GET' || method === 'DELETE'
          ? []
          : fields.slice(0, 6).map((field): [string, boolean] => [field, random.chance(0.5)]),
    }
  })
}
