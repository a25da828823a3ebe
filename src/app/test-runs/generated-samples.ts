import { absoluteUrl, type Exchange, parseSampleMessage, writeSampleMessage } from '../../http/index.ts'
import { Failure, nowSeconds, type Sealer } from '../../kit/index.ts'
import type { Store } from '../../store/index.ts'
import {
  ATTACKER_ROLE,
  draftOf,
  type EndpointKey,
  GENERATED,
  isAboutObjects,
  NO_SAMPLE,
  type SampleLack,
  type SampleShelf,
  type SessionTools,
  sendFailure,
  sendObstacle,
  sentAs,
  type Template,
} from '../../testing/index.ts'
import { type DeclaredOperation, requestOf } from '../../traffic/index.ts'
import { withBody } from './generated-body.ts'
import { harmOfRead } from './harmful-read.ts'
import { KnownValues, ownId, singular } from './known-values.ts'
import { isInForm, isPasswordOf, isSignInOf, type RoleSignIn } from './role-sign-in.ts'

/** Requests that one execution makes from documents. */
const MAX_GENERATED = 2_000

interface OperationRow {
  collectionId: number
  host: string | null
  method: string
  path: string
  operation: Omit<DeclaredOperation, 'method' | 'path' | 'origin'>
}

/** An endpoint without a recorded sample, with the operation of a document that describes it. */
interface DocumentedEndpoint {
  readonly endpoint: EndpointKey
  readonly operation: DeclaredOperation
}

/**
 * The operations of documents for endpoints that have no sample; their requests, not yet sent, stand on the shelf, so
 * that hosts and credentials of the run cover them. What a document without servers describes is looked for where the
 * collection was recorded, else where the run sends its requests.
 *
 * @param override where the run sends its requests instead; '' for nowhere else
 */
export async function documentedEndpoints(
  store: Store,
  endpoints: readonly EndpointKey[],
  samples: SampleShelf,
  override: string,
): Promise<DocumentedEndpoint[]> {
  const bare = endpoints.filter((endpoint) => samples.of(endpoint) === null).slice(0, MAX_GENERATED)
  if (bare.length === 0) return []
  const { rows } = await store.pool.query<OperationRow>(
    `SELECT d.collection_id AS "collectionId", c.host_name AS host, d.method, d.path, d.operation
     FROM documented_operations d JOIN collections c ON c.id = d.collection_id
     WHERE d.collection_id = ANY ($1::integer[])
       -- Their messages are not requests with a text.
       AND coalesce(d.operation->>'protocol', '') NOT IN ('GRPC', 'WEBSOCKET') ORDER BY d.collection_id, d.path, d.method`,
    [[...new Set(bare.map(({ collectionId }) => collectionId))]],
  )
  const found = bare.flatMap((endpoint): DocumentedEndpoint[] => {
    const row = rows.find((one) => describes(one, endpoint))
    return row === undefined ? [] : [{ endpoint, operation: operationOf(row, samples, override) }]
  })
  for (const { endpoint, operation } of found)
    samples.put(endpoint, exchangeFrom(requestOf(operation, new Map())))
  return found.filter(({ endpoint }) => URL.canParse(samples.of(endpoint)!.request.target))
}

function operationOf(row: OperationRow, samples: SampleShelf, override: string): DeclaredOperation {
  const { collectionId, host, method, path, operation } = row
  const told = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i.exec(path)?.[0] ?? ''
  const recorded = samples.ofCollection(collectionId).map(({ request }) => request)
  const places = [...recorded.map(absoluteUrl), host === null ? '' : urlOfHost(host), override]
  const origin =
    told || (places.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin)[0] ?? '')
  return { ...operation, method, origin, path: path.slice(told.length) }
}

function urlOfHost(host: string): string {
  return absoluteUrl({ method: 'GET', target: '/', version: '', headers: ['host', host], body: '' })
}

/** Whether an endpoint is that of an operation: the same segments, with a type word where the document has a name. */
function describes(row: OperationRow, { collectionId, method, url }: EndpointKey): boolean {
  if (row.collectionId !== collectionId || row.method !== method) return false
  const [declared, known] = [segments(row.path), segments(url)]
  return (
    declared.length === known.length &&
    declared.every((segment, at) => (segment.includes('{') ? true : segment === known[at]))
  )
}

function segments(url: string): string[] {
  return url
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
    .split('/')
    .filter((segment) => segment !== '')
}

function exchangeFrom(request: Exchange['request'], response?: Exchange['response']): Exchange {
  return {
    request,
    response: response ?? { status: 0, reason: '', headers: [], body: '' },
    at: nowSeconds(),
    clientIp: '',
    serverIp: '',
    source: 'OPEN_API',
    direction: 1,
    vxlanId: 0,
    tags: { [GENERATED]: 'true' },
  }
}

/** The same operations where a run sends its requests instead; the path of the URL, when it has one, goes in front. */
export function redirected(documented: readonly DocumentedEndpoint[], url: string): DocumentedEndpoint[] {
  const { origin, pathname } = new URL(url)
  const prefix = pathname.replace(/\/$/, '')
  return documented.map(({ endpoint, operation }) => {
    const { path, target } = operation
    const behind = target === undefined ? {} : { target: prefix + target }
    return { endpoint, operation: { ...operation, ...behind, origin, path: prefix + path } }
  })
}

interface Deps {
  readonly store: Store
  readonly sealer: Sealer
  readonly summaryId: string
  readonly samples: SampleShelf
  readonly tools: SessionTools
  readonly templates: Iterable<Template>
  /** How the role under test signs in. */
  readonly signIn: RoleSignIn | null
  /** A role is under test, whose objects the attacker asks for. */
  readonly hasRole: boolean
}

/**
 * Makes samples for endpoints that only documents describe: the requests are sent once, in an order in which lists and
 * creations come before what needs their ids, and the exchanges are kept for all processes of the execution. Requests
 * that change something are made only where the run has tests that do; nothing is deleted that the run did not create.
 * Where the attacker asks for objects of a role, it makes its own as well: they show what it may use at all.
 *
 * @throws Failure SEND_STOPPED when the run ended meanwhile
 */
export async function generateSamples(deps: Deps, documented: readonly DocumentedEndpoint[]): Promise<void> {
  if (documented.length === 0 || (await loadGenerated(deps, documented))) return
  const templates = [...deps.templates]
  const mayWrite = templates.some(({ attributes }) => attributes.nature !== 'NON_INTRUSIVE')
  const making: Making = { ...deps, isAttacker: false, mayWrite, ...nothingKnown() }
  for (const one of inOrder(documented)) {
    const made = await sampleOf(one, making)
    if (isLack(made)) deps.samples.remove(one.endpoint, made)
    else deps.samples.put(one.endpoint, made)
    await keep(deps, one.endpoint, made)
  }
  if (!deps.hasRole || !templates.some(isAboutObjects)) return
  const own: Making = { ...making, isAttacker: true, ...nothingKnown() }
  for (const one of inOrder(aboutObjects(documented))) {
    const made = await sampleOf(one, own)
    if (isLack(made) || made.response.status >= 400 || isSameAs(deps.samples.of(one.endpoint), made)) continue
    deps.samples.putOfAttacker(one.endpoint, made)
    await keepOfAttacker(deps, one.endpoint, made)
  }
}

function nothingKnown(): Pick<Making, 'values' | 'created' | 'makers'> {
  return { values: new KnownValues(), created: new KnownValues(), makers: new Map() }
}

/** Whether a request of the attacker asks for the same as that of the role under test: then it is not about its own object. */
function isSameAs(sample: Exchange | null, { request }: Exchange): boolean {
  return sample?.request.target === request.target && sample.request.body === request.body
}

/** The operations on single objects, and those that list and create such objects. */
function aboutObjects(documented: readonly DocumentedEndpoint[]): DocumentedEndpoint[] {
  const nameOf = ({ operation }: DocumentedEndpoint): string => singular(resourceOf(operation))
  const isOnObject = ({ operation }: DocumentedEndpoint): boolean => openValues(operation) > 0
  const names = new Set(documented.filter(isOnObject).map(nameOf))
  return documented.filter((one) => isOnObject(one) || names.has(nameOf(one)))
}

/** Makes the request of an operation and sends it, as far as that harms nobody; what it shows is learned. */
async function sampleOf(one: DocumentedEndpoint, making: Making): Promise<Exchange | SampleLack> {
  const effect = effectOf(one.operation)
  const harm = effect === 'READ' ? harmOfRead(one.operation.path) : null
  if (harm) return notRead(harm)
  if (effect !== 'READ' && !making.mayWrite) return NOT_WRITTEN
  const made = await (effect === 'DELETE'
    ? deleteOwn(one, making)
    : effect === 'CHANGE'
      ? changeOwn(one, making)
      : send(one, making))
  if (!isLack(made)) noteAnswer(one, made, making)
  return made
}

const NOT_WRITTEN: SampleLack = {
  code: 'NO_PATH',
  explanation:
    'The endpoint has no sample. Vigil makes requests that change something only in runs with tests that write.',
}
const notRead = (harm: string): SampleLack => ({
  code: 'NO_PATH',
  explanation: `The endpoint has no sample. By its path, a request ${harm}, and Vigil makes none from a document: record one to test it.`,
})
const NOTHING_TO_DELETE: SampleLack = {
  code: 'NO_PATH',
  explanation:
    'The endpoint has no sample. Vigil deletes only what it created, and could create nothing that this deletes.',
}

const NOT_OWN: SampleLack = {
  code: 'NO_PATH',
  explanation: 'The request would be about more than what the attacker created.',
}

function isLack(made: Exchange | SampleLack): made is SampleLack {
  return 'explanation' in made
}

/** Samples while they are made. */
interface Making extends Deps {
  /** As the attacker, not as the role under test. */
  readonly isAttacker: boolean
  readonly mayWrite: boolean
  readonly values: KnownValues
  /** Identifiers of what was created; what the attacker writes names nothing else. */
  readonly created: KnownValues
  /** What created a thing, by the thing. */
  readonly makers: Map<string, { readonly maker: DocumentedEndpoint; readonly sample: Exchange }>
}

function noteAnswer(one: DocumentedEndpoint, sample: Exchange, { values, created, makers }: Making): void {
  const answer = answerOf(sample, one.operation)
  if (answer === null) return
  const resource = resourceOf(one.operation)
  if (effectOf(one.operation) === 'CREATE') values.learnSent(sample.request.body)
  values.learn(resource, answer)
  const id = effectOf(one.operation) === 'CREATE' ? ownId(answer, resource) : null
  if (id === null) return
  created.note(resource, id)
  makers.set(singular(resource), { maker: one, sample })
}

/** Changes what was created before, where something was; the attacker changes nothing else. */
function changeOwn(one: DocumentedEndpoint, making: Making): Promise<Exchange | SampleLack> {
  const resource = changedResourceOf(one.operation)
  const known = making.makers.get(singular(resource))
  const answer = known === undefined ? null : answerOf(known.sample, known.maker.operation)
  const id = answer === null ? null : ownId(answer, resource)
  if (id !== null) making.values.note(resource, id)
  const isOfCaller = openValues(one.operation) === 0
  return making.isAttacker && isOfCaller ? Promise.resolve(NOT_OWN) : send(one, making)
}

/** Deletes a thing that is created for it: what tests read stays, and what others made is never touched. */
async function deleteOwn(one: DocumentedEndpoint, making: Making): Promise<Exchange | SampleLack> {
  const resource = resourceOf(one.operation)
  const known = making.makers.get(singular(resource))
  if (known === undefined) return NOTHING_TO_DELETE
  const made = await send(known.maker, making)
  if (!making.isAttacker) making.samples.put(known.maker.endpoint, known.sample)
  const answer = isLack(made) ? null : answerOf(made, known.maker.operation)
  const id = answer && ownId(answer, resource)
  if (id === null) return NOTHING_TO_DELETE
  for (const values of [making.values, making.created]) values.note(resource, id)
  const exchange = await send(one, making)
  for (const values of [making.values, making.created]) values.forget(resource, id)
  return exchange
}

/** What the request of an operation does: GraphQL says it, elsewhere the method does. */
function effectOf({ effect, method }: DeclaredOperation): NonNullable<DeclaredOperation['effect']> {
  if (effect !== undefined) return effect
  if (method === 'POST') return 'CREATE'
  if (method === 'DELETE') return 'DELETE'
  return ['GET', 'HEAD', 'OPTIONS'].includes(method) ? 'READ' : 'CHANGE'
}

const METHODS = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Reading without ids, creating, reading with ids, changing, deleting; short paths first. */
function inOrder(documented: readonly DocumentedEndpoint[]): DocumentedEndpoint[] {
  const rank = ({ operation }: DocumentedEndpoint): number => {
    const open = openValues(operation)
    const effect = effectOf(operation)
    if (effect === 'CREATE') return 10 + open
    if (effect === 'READ') return open === 0 ? 0 : 20 + open
    const last = operation.effect === 'DELETE' ? METHODS.indexOf('DELETE') : METHODS.indexOf(operation.method)
    return 30 + last * 10 + open
  }
  return [...documented].sort((a, b) => rank(a) - rank(b) || (a.operation.path < b.operation.path ? -1 : 1))
}

/** Values that other answers have to give: parameters of the path, identifiers among the variables of GraphQL. */
function openValues({ path, protocol, requests }: DeclaredOperation): number {
  if (protocol === undefined) return path.split('{').length - 1
  const ids = requests[0]?.keys.filter(({ key }) => /^variables#.*(?:id|uuid|guid)$/i.test(key)) ?? []
  return ids.length
}

/** What an operation is about: as it says, or the last segment of its path without a parameter. */
function resourceOf({ resource, path }: DeclaredOperation): string {
  return resource || (segments(path).findLast((segment) => !segment.includes('{')) ?? '')
}

/** What a request changes: the segment before the last parameter of its path. */
function changedResourceOf(operation: DeclaredOperation): string {
  const parts = segments(operation.path)
  const at = parts.findLastIndex((part) => part.includes('{'))
  return operation.resource || at < 1 ? resourceOf(operation) : parts[at - 1]!
}

/** The body of an answer that did what was asked, as JSON text; null for any other. GraphQL answers errors with 200. */
function answerOf({ response: { status, body } }: Exchange, { protocol }: DeclaredOperation): string | null {
  if (status < 200 || status > 299) return null
  if (protocol === undefined) return body
  try {
    const { data, errors } = JSON.parse(body) as { data?: unknown; errors?: unknown[] }
    if (errors !== undefined || typeof data !== 'object' || data === null) return null
    // The name of the field is not that of what it returns.
    return JSON.stringify(Object.values(data)[0] ?? null)
  } catch {
    return null // not JSON, or not an object
  }
}

async function send(
  { endpoint, operation }: DocumentedEndpoint,
  making: Making,
): Promise<Exchange | SampleLack> {
  const { samples, tools, isAttacker } = making
  const request = filledRequest(operation, making)
  if (request === null) return NOT_OWN
  const made = exchangeFrom(request)
  // On the shelf it gets the credentials of the role under test, like any sample.
  if (!isAttacker) samples.put(endpoint, made)
  const sample = isAttacker ? asAttacker(endpoint, made, tools) : tools.sampleOf(endpoint)!
  const own = isAttacker ? { own: sample } : {}
  try {
    const { exchange } = await tools.send(draftOf(sample), {
      followRedirects: false,
      testId: '',
      endpoint,
      ...own,
    })
    return exchangeFrom(sample.request, exchange.response)
  } catch (error) {
    if (!(error instanceof Failure) || error.code === 'SEND_STOPPED') throw error
    // A host that does not answer gives no sample, and neither does what the run may not write.
    return { code: sendObstacle(error), explanation: sendFailure(error) }
  }
}

/**
 * The request of an operation, with values that answers have shown. Null where the attacker would write and the request
 * names something that it did not create, or signs in.
 */
function filledRequest(operation: DeclaredOperation, making: Making): Exchange['request'] | null {
  const { signIn, isAttacker } = making
  const isOwnOnly = isAttacker && effectOf(operation) !== 'READ'
  const values = isOwnOnly ? making.created : making.values
  const known = parameterValues(operation, values)
  const inPath = operation.parameters.filter((parameter) => parameter.in === 'path')
  if (isOwnOnly && inPath.some(({ name }) => !known.has(`path ${name}`))) return null
  const base = requestOf(operation, known)
  if (signIn !== null && isSignInOf(signIn, operation) && isInForm(signIn.body, base.headers))
    return isAttacker ? null : { ...base, body: signIn.body }
  let namesUnknown = false
  const filled = withBody(base, operation, (name) => {
    const kept = isAttacker ? null : keptSecret(operation, name, signIn)
    const value = kept ?? referenceIn(operation, name, values)
    if (value === null && REFERENCE.test(name)) namesUnknown = true
    return value
  })
  return isOwnOnly && namesUnknown ? null : filled
}

function asAttacker(endpoint: EndpointKey, made: Exchange, tools: SessionTools): Exchange {
  const { parametersOf, authHeaderNames } = tools.credentialsFor(endpoint, made)
  return sentAs(made, parametersOf(ATTACKER_ROLE) ?? [], authHeaderNames)
}

/** The role's own password where a change would give it another one, with which it could not sign in any more. */
function keptSecret(operation: DeclaredOperation, name: string, signIn: RoleSignIn | null): string | null {
  const isKept = signIn !== null && effectOf(operation) === 'CHANGE' && isPasswordOf(signIn, operation, name)
  return isKept ? signIn.secret : null
}

const FOREIGN = /.(?:id|uuid|guid)$/i
/** The same, where a word before it ends: `paid` names nothing. */
const REFERENCE = /[_-](?:id|uuid|guid)$|[a-z\d](?:I[dD]|U[uU][iI][dD]|G[uU][iI][dD])$/
const ANY_ID = /(?:id|uuid|guid)$/i

/** What answers have shown for a field of a body that names another thing; null where nothing is known. */
function referenceIn(operation: DeclaredOperation, name: string, values: KnownValues): string | null {
  // The own identifier of what is created is not that of another object; variables of GraphQL name what they act on.
  const names = operation.protocol === undefined || effectOf(operation) === 'CREATE' ? FOREIGN : ANY_ID
  return names.test(name) ? values.referenceFor(name, resourceOf(operation)) : null
}

/** Ids of path and query that answers have shown, by `<place> <name>`. */
function parameterValues(operation: DeclaredOperation, values: KnownValues): Map<string, string> {
  const found = new Map<string, string>()
  const parts = segments(operation.path)
  for (const { name, in: place } of operation.parameters) {
    const at = parts.findIndex((part) => part.includes(`{${name}}`))
    const before = parts.slice(0, Math.max(at, 0)).findLast((part) => !part.includes('{')) ?? ''
    const value =
      place === 'path'
        ? (values.idOf(before) ?? values.referenceFor(name, before))
        : /(?:id|uuid|guid)$/i.test(name)
          ? values.referenceFor(name, resourceOf(operation))
          : null
    if (value !== null) found.set(`${place} ${name}`, value)
  }
  return found
}

/** Puts what the execution made before on the shelf; @returns false when it made nothing yet. */
async function loadGenerated(
  { store, sealer, summaryId, samples }: Deps,
  documented: readonly DocumentedEndpoint[],
): Promise<boolean> {
  const { rows } = await store.pool.query<GeneratedRow>(
    `SELECT collection_id AS "collectionId", method, url, message, lack, attacker_message AS "attackerMessage"
     FROM generated_samples WHERE summary_id = $1`,
    [summaryId],
  )
  if (rows.length === 0) return false
  for (const { endpoint } of documented) samples.remove(endpoint)
  const opened = (message: string): Exchange => ({
    ...parseSampleMessage(sealer.open(message, purposeOf(summaryId))),
    tags: { [GENERATED]: 'true' },
  })
  for (const { message, lack, attackerMessage, ...endpoint } of rows) {
    if (message === null) samples.remove(endpoint, lack ?? NO_SAMPLE)
    else samples.put(endpoint, opened(message))
    if (attackerMessage !== null) samples.putOfAttacker(endpoint, opened(attackerMessage))
  }
  return true
}

interface GeneratedRow extends EndpointKey {
  readonly message: string | null
  readonly lack: SampleLack | null
  readonly attackerMessage: string | null
}

async function keep(
  { store, sealer, summaryId }: Deps,
  { collectionId, method, url }: EndpointKey,
  made: Exchange | SampleLack,
): Promise<void> {
  await store.pool.query(
    `INSERT INTO generated_samples (summary_id, collection_id, method, url, message, lack)
     VALUES ($1, $2, $3, $4, $5, $6::jsonb) ON CONFLICT DO NOTHING`,
    [
      summaryId,
      collectionId,
      method,
      url,
      isLack(made) ? null : sealer.seal(writeSampleMessage(made), purposeOf(summaryId)),
      isLack(made) ? JSON.stringify(made) : null,
    ],
  )
}

async function keepOfAttacker(
  { store, sealer, summaryId }: Deps,
  { collectionId, method, url }: EndpointKey,
  made: Exchange,
): Promise<void> {
  await store.pool.query(
    `UPDATE generated_samples SET attacker_message = $5
     WHERE summary_id = $1 AND collection_id = $2 AND method = $3 AND url = $4`,
    [summaryId, collectionId, method, url, sealer.seal(writeSampleMessage(made), purposeOf(summaryId))],
  )
}

/** They hold credentials, and the password of a sign-in. */
function purposeOf(summaryId: string): string {
  return `generated-sample:${summaryId}`
}
