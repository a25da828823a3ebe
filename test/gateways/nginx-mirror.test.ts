import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect } from 'vitest'
import { RARE_PROGRAM } from '../../scripts/test-files.ts'
import { testKey } from '../harness.ts'
import { freePort } from '../server-process.ts'
import { sharing } from '../shared-server.ts'
import { until } from '../until.ts'

const GATEWAYS = fileURLToPath(new URL('../../deploy/gateways', import.meta.url))
/** Where Debian has the module of nginx that runs JavaScript. */
const NJS = '/usr/lib/nginx/modules/ngx_http_js_module.so'
const folder = mkdtempSync(join(tmpdir(), 'vigil-test-mirror-'))
const ends: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ends) await end()
  rmSync(folder, { recursive: true, force: true })
})

async function startSite(): Promise<number> {
  const site: Server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      if (incoming.method === 'HEAD' || incoming.url === '/mirrored/empty')
        return response.writeHead(204).end()
      response.writeHead(incoming.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' })
      // In parts, one of which ends within a character.
      const text = Buffer.from(`{"name":"käse","got":${Buffer.concat(chunks).length}}`)
      response.write(text.subarray(0, 10))
      setImmediate(() => response.end(text.subarray(10)))
    })
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  ends.push(async () => {
    site.closeAllConnections()
    site.close()
  })
  return (site.address() as AddressInfo).port
}

async function startNginx(vigil: string): Promise<number> {
  const [port, site] = [await freePort(), await startSite()]
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const file = join(folder, `nginx-${port}.conf`)
  writeFileSync(
    file,
    `load_module ${NJS};
    daemon off; master_process off; pid ${file}.pid; error_log ${file}.log warn;
    events {}
    http {
      ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
      access_log off;
      client_body_buffer_size 256k;
      js_path ${GATEWAYS};
      include ${GATEWAYS}/nginx-mirror.conf;
      server {
        listen 127.0.0.1:${port};
        set $vigil_url ${vigil};
        set $vigil_key ${testKey};
        location = /vigil-mirror { internal; js_content vigil_mirror.send; }
        location / {
          mirror /vigil-mirror;
          js_header_filter vigil_mirror.head;
          js_body_filter vigil_mirror.body buffer_type=buffer;
          proxy_pass http://127.0.0.1:${site};
          proxy_set_header Host $http_host;
        }
      }
    }`,
  )
  const nginx: ChildProcess = spawn('nginx', ['-c', file], { stdio: 'ignore' })
  ends.unshift(async () => {
    if (nginx.exitCode !== null) return
    const ended = once(nginx, 'exit')
    nginx.kill('SIGKILL')
    await ended
  })
  await until('nginx answers', () =>
    fetch(`http://127.0.0.1:${port}/begins`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return port
}

function needsNginx(skip: () => void): void {
  if (spawnSync('nginx', ['-v']).status === 0 && existsSync(NJS)) return
  console.warn(`\nSKIPPED: the mirror of nginx with ${NJS}, which this machine does not have.\n`)
  skip()
}

sharing(
  'requests that nginx mirrors reach the inventory with their responses',
  { tags: [RARE_PROGRAM], timeout: 120_000 },
  async ({ shared, skip }) => {
    needsNginx(skip)
    const address = `http://127.0.0.1:${await startNginx(shared.baseUrl)}`
    const { host } = new URL(address)
    const body = '{"name":"a \\"quoted\\" käse\\n"}'
    const headers = { 'content-type': 'application/json', authorization: 'Bearer s3cret' }
    const answer = await fetch(`${address}/mirrored/orders?q=%22x`, { method: 'POST', headers, body })
    expect([answer.status, await answer.json()]).toEqual([
      201,
      { name: 'käse', got: Buffer.from(body).length },
    ])
    await fetch(`${address}/mirrored/empty`)
    await fetch(`${address}/mirrored/head`, { method: 'HEAD' })
    await fetch(`${address}/mirrored/long`, { method: 'POST', headers, body: 'x'.repeat(70_000) })
    const { store } = shared.running.app
    const found = await until(
      'all are in the inventory',
      async () => {
        const { rows } = await store.pool.query<{ method: string; url: string; message: string }>(
          `SELECT e.method, e.url, s.message FROM samples s JOIN endpoints e ON e.id = s.endpoint_id
           JOIN collections c ON c.id = e.collection_id
           WHERE c.host_name = $1 AND e.url LIKE '/mirrored%' ORDER BY e.url`,
          [host],
        )
        return rows
      },
      { isRight: (rows) => rows.length === 4 },
    )
    expect(found.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /mirrored/empty',
      'HEAD /mirrored/head',
      'POST /mirrored/long',
      'POST /mirrored/orders',
    ])
    const [empty, , long, order] = found.map(({ message }) => JSON.parse(message) as Record<string, string>)
    expect(empty).toMatchObject({ statusCode: '204', responsePayload: '' })
    expect(long).toMatchObject({ requestPayload: '', responsePayload: '{"name":"käse","got":70000}' })
    expect(order).toMatchObject({
      ...{ statusCode: '201', source: 'MIRRORING', path: '/mirrored/orders?q=%22x', requestPayload: body },
      responsePayload: `{"name":"käse","got":${Buffer.from(body).length}}`,
    })
  },
)

sharing(
  'while Vigil is away, nginx answers as it does without a mirror',
  { tags: [RARE_PROGRAM], timeout: 120_000 },
  async ({ skip }) => {
    needsNginx(skip)
    const address = `http://127.0.0.1:${await startNginx(`http://127.0.0.1:${await freePort()}`)}`
    for (let i = 0; i < 3; i++) {
      const answer = await fetch(`${address}/orders`)
      expect([answer.status, await answer.json()]).toEqual([200, { name: 'käse', got: 0 }])
    }
  },
)
