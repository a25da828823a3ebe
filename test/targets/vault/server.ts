import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'

/** Who may sign in. */
export const vaultUser = 'ada@vault.test'
/** Their password. */
export const vaultPassword = 'open-sesame'
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const METALS = ['gold', 'iron', 'lead', 'zinc']
const THINGS = ['box', 'case', 'chest', 'drawer', 'safe']
const MAX_BODY = 10_000

/** How a vault is. */
export interface VaultOptions {
  /** Time step of its codes; authenticators have 30 seconds. */
  readonly periodSeconds: number
  /** A session ends so long after its login, whatever is done with it. */
  readonly sessionSeconds: number
  /** Time before every answer. */
  readonly latencyMs: number
}

/** A running vault. */
export interface Vault {
  readonly origin: string
  /** What an authenticator is given, as an `otpauth://` URI. */
  readonly codeUri: string
  /** Calls of its pages: all there are. */
  readonly calls: ReadonlySet<string>
  /** Calls that somebody signed in made. */
  readonly answered: ReadonlySet<string>
  /** Time steps of the codes that let somebody in, in order. */
  readonly steps: readonly number[]
  /** Why codes were refused. */
  readonly refusals: readonly string[]
  close(): Promise<void>
}

interface Ask {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly path: string
  readonly form: URLSearchParams
  readonly cookies: string
}

/** Starts a vault on a free port of loopback. */
export async function startVault(options: VaultOptions): Promise<Vault> {
  const site = new Site(options)
  const server = createServer((request, response) => void site.answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    codeUri: site.totp.toString(),
    calls: new Set(site.rooms.flatMap((room) => [`GET /api/${room}/list`, `GET /api/${room}/value`])),
    answered: site.answered,
    steps: site.steps,
    refusals: site.refusals,
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

class Site {
  readonly rooms = METALS.flatMap((metal) => THINGS.map((thing) => `${metal}-${thing}`))
  readonly answered = new Set<string>()
  readonly steps: number[] = []
  readonly refusals: string[] = []
  readonly totp: TOTP
  readonly #options: VaultOptions
  /** Logins that still lack their code. */
  readonly #begun = new Set<string>()
  /** Sessions with their ends, by `performance.now()`. */
  readonly #sessions = new Map<string, number>()

  constructor(options: VaultOptions) {
    this.#options = options
    this.totp = new TOTP({
      issuer: 'vault',
      label: vaultUser,
      secret: Secret.fromBase32(SECRET),
      period: options.periodSeconds,
    })
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request) if (body.length < MAX_BODY) body += String(chunk)
    await pause(this.#options.latencyMs)
    const path = (request.url ?? '').split('?')[0]!
    const cookies = request.headers.cookie ?? ''
    const ask: Ask = { request, response, path, form: new URLSearchParams(body), cookies }
    if (path === '/login') this.#login(ask)
    else if (path === '/code') this.#code(ask)
    else if (path.startsWith('/api/')) this.#api(ask)
    else if (!this.#isSignedIn(ask)) redirect(response, '/login')
    else this.#page(ask)
  }

  #login({ request, response, form }: Ask): void {
    const isRight = form.get('user') === vaultUser && form.get('password') === vaultPassword
    if (request.method !== 'POST') html(response, 'Sign in', LOGIN)
    else if (!isRight) html(response, 'Sign in', `<p role="alert">Wrong name or password</p>${LOGIN}`)
    else {
      const id = randomUUID()
      this.#begun.add(id)
      response.setHeader('set-cookie', `begun=${id}; Path=/; HttpOnly`)
      redirect(response, '/code')
    }
  }

  #code({ request, response, form, cookies }: Ask): void {
    const begun = cookieOf(cookies, 'begun')
    if (!this.#begun.has(begun)) redirect(response, '/login')
    else if (request.method !== 'POST') html(response, 'Code', CODE)
    else this.#signIn(response, begun, this.#take(form.get('code') ?? ''))
  }

  #signIn(response: ServerResponse, begun: string, refusal: string | null): void {
    if (refusal !== null) {
      this.refusals.push(refusal)
      html(response, 'Code', `<p role="alert">${refusal}</p>${CODE}`)
      return
    }
    this.#begun.delete(begun)
    const id = randomUUID()
    this.#sessions.set(id, performance.now() + this.#options.sessionSeconds * 1000)
    response.setHeader('set-cookie', `sid=${id}; Path=/; HttpOnly`)
    redirect(response, '/')
  }

  /** Takes each code once, and none older than the last one (RFC 6238 section 5.2). @returns why not */
  #take(code: string): string | null {
    const delta = this.totp.validate({ token: code, window: 1 })
    if (delta === null) return 'This code is wrong'
    const step = Math.floor(Date.now() / 1000 / this.#options.periodSeconds) + delta
    if (step <= (this.steps.at(-1) ?? 0)) return 'This code was used before'
    this.steps.push(step)
    return null
  }

  #api(ask: Ask): void {
    const isSignedIn = this.#isSignedIn(ask)
    const { response, path } = ask
    if (isSignedIn) this.answered.add(`GET ${path}`)
    response.writeHead(isSignedIn ? 200 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isSignedIn ? { user: vaultUser, path } : { error: 'who?' }))
  }

  #page({ response, path }: Ask): void {
    const room = path.slice(1)
    const links = this.rooms.map((one) => `<li><a href="/${one}">${one}</a></li>`).join('')
    if (path === '/') html(response, 'Vault', `<ul>${links}</ul><script>fetch('/api/me')</script>`)
    else if (this.rooms.includes(room)) html(response, room, roomPage(room))
    else response.writeHead(404).end()
  }

  #isSignedIn({ cookies }: Ask): boolean {
    return (this.#sessions.get(cookieOf(cookies, 'sid')) ?? 0) > performance.now()
  }
}

const LOGIN = `<form method="post"><label>Name <input name="user" autocomplete="username"></label>
<label>Password <input name="password" type="password"></label><button>Go on</button></form>`
const CODE = `<form method="post"><label>Code <input name="code" autocomplete="one-time-code"></label><button>Sign in</button></form>`

function roomPage(room: string): string {
  return `<p id="list"></p><button id="value">Value of ${room}</button><script>
const ask = (what) => fetch('/api/${room}/' + what).then((answer) => answer.text())
ask('list').then((text) => { list.textContent = text })
value.onclick = () => ask('value')
</script>`
}

function cookieOf(cookies: string, name: string): string {
  return new RegExp(`(?:^|; )${name}=([^;]+)`).exec(cookies)?.[1] ?? ''
}

function html(response: ServerResponse, title: string, body: string): void {
  response.writeHead(200, { 'content-type': 'text/html' })
  response.end(
    `<!doctype html><html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`,
  )
}

function redirect(response: ServerResponse, to: string): void {
  response.writeHead(302, { location: to })
  response.end()
}
