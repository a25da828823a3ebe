import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { RARE_PROGRAM } from '../../scripts/test-files.ts'
import { importText } from '../../src/traffic/index.ts'
import { freePort } from '../server-process.ts'
import { until } from '../until.ts'

const GATEWAYS = fileURLToPath(new URL('../../deploy/gateways', import.meta.url))
const gatewayFile = (name: string): string => readFileSync(join(GATEWAYS, name), 'utf8')

interface Ports {
  readonly folder: string
  readonly port: number
  readonly upstream: number
}

/** Where Debian has the module of nginx that runs JavaScript. */
const NJS = '/usr/lib/nginx/modules/ngx_http_js_module.so'

interface NginxParts {
  readonly modules?: string
  readonly formats?: string
  readonly location: string
}

function nginxSite(
  { folder, port, upstream }: Ports,
  { modules = '', formats = '', location }: NginxParts,
): string {
  return `
      ${modules}
      daemon off; master_process off; pid ${folder}/pid; error_log stderr;
      events {}
      http {
        ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
        ${gatewayFile('nginx.conf')}
        ${formats}
        server {
          listen 127.0.0.1:${port};
          location / { ${location} proxy_pass http://127.0.0.1:${upstream}; proxy_set_header Host $http_host; }
        }
      }`
}

const gateways = [
  {
    name: 'nginx',
    needs: [],
    responseBody: '',
    args: (file: string) => ['-c', file],
    configuration: (ports: Ports) => nginxSite(ports, { location: `access_log ${ports.folder}/log vigil;` }),
  },
  {
    name: 'nginx',
    needs: [NJS],
    responseBody: '{}',
    args: (file: string) => ['-c', file],
    configuration: (ports: Ports) =>
      nginxSite(ports, {
        modules: `load_module ${NJS};`,
        formats: `js_path ${GATEWAYS}; ${gatewayFile('nginx-njs.conf')}`,
        location: `js_body_filter vigil.keep; access_log ${ports.folder}/log vigil_bodies;`,
      }),
  },
  {
    name: 'haproxy',
    needs: [],
    responseBody: '',
    args: (file: string) => ['-f', file],
    configuration: ({ port, upstream }: Ports) => `
global
  log stdout len 65535 format raw local0
defaults
  timeout client 5s
  timeout server 5s
  timeout connect 5s
frontend shop
  bind 127.0.0.1:${port}
  log global
  default_backend site
${gatewayFile('haproxy.cfg')}
backend site
  mode http
  server one 127.0.0.1:${upstream}
`,
  },
]

/** Their logs have neither bodies nor credentials. */
const webServers = [
  {
    name: 'apache2',
    version: '-v',
    // One process in the foreground: killed, it leaves none behind.
    args: (file: string) => ['-X', '-f', file],
    environment: () => ({}),
    configuration: ({ folder, port, upstream }: Ports) => `
ServerRoot /usr/lib/apache2
ServerName localhost
Listen 127.0.0.1:${port}
DefaultRuntimeDir ${folder}
PidFile ${folder}/pid
ErrorLog ${folder}/error
User nobody
Group nogroup
${['mpm_event', 'authz_core', 'proxy', 'proxy_http'].map((name) => `LoadModule ${name}_module modules/mod_${name}.so`).join('\n')}
${gatewayFile('apache.conf')}
CustomLog ${folder}/log vigil
ProxyPass / http://127.0.0.1:${upstream}/
ProxyPreserveHost On
`,
  },
  {
    name: 'caddy',
    version: 'version',
    args: (file: string) => ['run', '--config', file, '--adapter', 'caddyfile'],
    environment: ({ folder }: Ports) => ({
      VIGIL_LOG: `${folder}/log`,
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      XDG_DATA_HOME: folder,
    }),
    configuration: ({ port, upstream }: Ports) => `
{
	admin off
	auto_https off
}
${gatewayFile('caddy.conf')}
http://:${port} {
	bind 127.0.0.1
	import vigil
	reverse_proxy 127.0.0.1:${upstream}
}
`,
  },
]

let folder: string
let site: Server
let gateway: ChildProcess | null = null

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vigil-test-gateway-'))
  site = createServer((incoming, response) => {
    incoming
      .resume()
      .on('end', () => response.writeHead(201, { 'content-type': 'application/json' }).end('{}'))
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
})
afterEach(async () => {
  if (gateway !== null && gateway.exitCode === null) {
    const ended = once(gateway, 'exit')
    gateway.kill('SIGKILL')
    await ended
  }
  gateway = null
  site.closeAllConnections()
  site.close()
  rmSync(folder, { recursive: true, force: true })
})

async function send(
  port: number,
  path: string,
  headers: Record<string, string>,
  body = '',
): Promise<boolean> {
  const outgoing = request({
    port,
    host: '127.0.0.1',
    path,
    method: body === '' ? 'GET' : 'POST',
    headers,
    agent: false,
  })
  outgoing.end(body)
  try {
    const [answer] = (await once(outgoing, 'response')) as [NodeJS.ReadableStream]
    answer.resume()
    await once(answer, 'end')
    return true
  } catch {
    return false // it does not listen yet
  }
}

test.for(gateways)(
  'what $name $needs passes on is imported from its log, without credentials',
  { tags: [RARE_PROGRAM] },
  async ({ name, needs, responseBody, args, configuration }, { skip }) => {
    if (spawnSync(name, ['-v']).status !== 0 || !needs.every((file) => existsSync(file))) {
      console.warn(
        `\nSKIPPED: the log format for ${[name, ...needs].join(' with ')}, which this machine does not have.\n`,
      )
      skip()
    }
    const port = await freePort()
    const file = join(folder, 'configuration')
    writeFileSync(file, configuration({ folder, port, upstream: (site.address() as AddressInfo).port }))
    const log = openSync(join(folder, 'log'), 'a')
    gateway = spawn(name, args(file), { stdio: ['ignore', log, 'ignore'] })
    closeSync(log)
    await until('it answers', () => send(port, '/bare', { host: 'shop.test' }))
    const body = '{"name":"a \\"quoted\\" käse\\n"}'
    const headers = {
      host: 'shop.test',
      'content-type': 'application/json',
      authorization: 'Bearer s3cret',
      cookie: 'sid=s3cret; other=s3cret',
      'user-agent': 'a "client" \\ of mine',
    }
    await send(port, '/orders/7?q=%22x', headers, body)
    await send(port, '/bare-token', { host: 'shop.test', authorization: 's3cret' })
    const text = await until('all are logged', () => readFileSync(join(folder, 'log'), 'utf8'), {
      isRight: (written) => /bare-token.*\n$/.test(written),
    })
    expect(text).not.toContain('s3cret')
    const exchanges = [...importText(text).exchanges].map(({ exchange }) => exchange)
    const order = exchanges.find(({ request: { target } }) => target.startsWith('/orders'))!
    expect(order.request).toMatchObject({ method: 'POST', target: '/orders/7?q=%22x', body })
    for (const value of ['Bearer [redacted]', 'sid=[redacted]', 'a "client" \\ of mine', 'shop.test'])
      expect(order.request.headers).toContain(value)
    // Other credentials are not in it: a line without any does not show that the caller had none.
    expect(order.source).toBe('ACCESS_LOG')
    expect(order.response).toMatchObject({ status: 201, headers: ['content-type', 'application/json'] })
    expect(order.response!.body).toBe(responseBody)
    const bare = exchanges.find(({ request: { target } }) => target === '/bare')!
    expect(bare.request.body).toBe('')
    expect(bare.request.headers.filter((_, i) => i % 2 === 1)).not.toContain('-')
  },
)

test.for(webServers)(
  'what $name serves is imported from its log: what exists, who asked and how it answered',
  { tags: [RARE_PROGRAM] },
  async ({ name, version, args, environment, configuration }, { skip }) => {
    if (spawnSync(name, [version]).status !== 0) {
      console.warn(`\nSKIPPED: the log format for ${name}, which this machine does not have.\n`)
      skip()
    }
    const ports = { folder, port: await freePort(), upstream: (site.address() as AddressInfo).port }
    const file = join(folder, 'configuration')
    writeFileSync(file, configuration(ports))
    const env = { ...process.env, ...environment(ports) }
    gateway = spawn(name, args(file), { env, stdio: 'ignore' })
    await until('it answers', () => send(ports.port, '/bare', { host: 'shop.test' }))
    const headers = {
      host: 'shop.test',
      'content-type': 'application/json',
      authorization: 'Bearer s3cret',
      cookie: 'sid=s3cret',
      'user-agent': 'a "client" \\ of mine',
    }
    await send(ports.port, '/orders/7?q=%22x', headers, '{"name":"a"}')
    await send(ports.port, '/last', { host: '[::1]:8080' })
    const text = await until('all are logged', () => readFileSync(join(folder, 'log'), 'utf8'), {
      isRight: (written) => /\/last.*\n$/.test(written),
    })
    expect(text).not.toContain('s3cret')
    const { exchanges, report } = importText(text)
    const taken = [...exchanges].map(({ exchange }) => exchange)
    expect(report.skipped).toEqual([])
    const order = taken.find(({ request: { target } }) => target.startsWith('/orders'))!
    expect(order).toMatchObject({
      request: { method: 'POST', target: '/orders/7?q=%22x', body: '' },
      response: { status: 201 },
      clientIp: '127.0.0.1',
      source: 'ACCESS_LOG',
    })
    for (const value of ['shop.test', 'a "client" \\ of mine']) expect(order.request.headers).toContain(value)
    expect(Math.abs(order.at - Date.now() / 1000)).toBeLessThan(600)
    expect(taken.at(-1)!.request.headers).toContain('[::1]:8080')
  },
)
