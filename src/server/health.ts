import type { FastifyInstance } from 'fastify'
import { type App, needsFirstUser, setupCode } from '../app/index.ts'
import { Failure, nowMs, reportError } from '../kit/index.ts'
import { jsonType } from './json-type.ts'
import type { ServerParts } from './server-parts.ts'

const PATIENCE_MS = 2_000
/** Anyone may ask, so one answer serves all who ask within this time. */
const KEPT_MS = 1_000

type PartState = 'ok' | 'failed' | 'missing'

/** The body of GET /health. */
interface Health {
  status: 'ok' | 'failed'
  parts: Record<string, PartState>
  /** What an installation still lacks before people can use it. */
  setup: 'needs-first-user' | 'done'
  /** True while the first sign-up needs the set-up code that the server showed when it started. */
  needsSetupCode?: true
  /** How people sign in: with a password, with the provider of this name (null: none), and whether a password is reset by mail. */
  signIn: { password: boolean; provider: string | null; mail: boolean }
}

/** GET /health: 200 when every part works, else 503; with `?live=1` only whether the process answers. */
export function addHealth(server: FastifyInstance, parts: ServerParts): void {
  let latest: { at: number; health: Promise<Health> } | null = null
  server.get('/health', async (request, reply) => {
    reply.type(jsonType).header('cache-control', 'no-store')
    if ((request.query as { live?: unknown }).live === '1') return reply.send('{"status":"ok"}')
    if (!latest || nowMs() - latest.at >= KEPT_MS) latest = { at: nowMs(), health: checkHealth(parts) }
    const health = await latest.health
    // A person who just became the first user with a provider must not be asked to sign up.
    if (health.setup === 'needs-first-user') latest = null
    return reply.code(health.status === 'ok' ? 200 : 503).send(JSON.stringify(health))
  })
}

async function checkHealth({ app, dashboardDir }: ServerParts): Promise<Health> {
  const { passwordSignIn, oidcName } = app.settings
  const signIn = {
    password: passwordSignIn,
    provider: app.singleSignOn === null ? null : oidcName,
    mail: app.mailer !== null,
  }
  let setup: Health['setup'] = 'done'
  let needsSetupCode = false
  const store = await check(app, 'store', async () => {
    await app.store.ping()
    const refusal = app.store.isFull() ? 'STORE_FULL' : (await app.inventory.figures()).refusal
    if (refusal !== null) throw new Failure(refusal, {})
    if (!(await needsFirstUser(app.store.pool))) return
    setup = 'needs-first-user'
    needsSetupCode = (await setupCode(app.access)) !== null
  })
  const inventory = await check(app, 'inventory', () => app.inventory.figures())
  const dashboard = dashboardDir === null ? 'missing' : 'ok'
  const imports = app.imports.isAccepting ? 'ok' : 'failed'
  const parts: Health['parts'] = { store, inventory, imports, dashboard }
  if (app.stream !== null) parts['stream'] = app.stream.figures().isConnected ? 'ok' : 'failed'
  const status = Object.values(parts).includes('failed') ? 'failed' : 'ok'
  return { status, parts, setup, ...(needsSetupCode ? { needsSetupCode } : {}), signIn }
}

async function check(app: App, part: string, work: () => Promise<unknown>): Promise<PartState> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), PATIENCE_MS)
  })
  try {
    await Promise.race([work(), late])
    return 'ok'
  } catch (error) {
    app.log.warn('part.failed', { part, error: reportError(error) })
    return 'failed'
  } finally {
    clearTimeout(timer)
  }
}
