import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect } from 'vitest'
import { runCli, startCommand } from '../cli-process.ts'
import { testKey } from '../harness.ts'
import { sharing } from '../shared-server.ts'
import { killPrograms } from '../start-program.ts'
import { until } from '../until.ts'
import { ask } from './ask.ts'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'vigil-test-proxy-'))
const sites: Server[] = []
let plain = ''
let secure = ''

/** Answers in gzip with what was sent. */
async function startSite(server: Server, scheme: string): Promise<string> {
  server.on('request', (request, response) => {
    let said = ''
    request.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    request.on('end', () => {
      response.setHeader('content-encoding', 'gzip')
      response.setHeader('content-type', 'application/json')
      response.end(gzipSync(JSON.stringify({ said })))
    })
  })
  sites.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A certificate of an authority that nobody knows. */
function foreignCertificate(): { key: string; cert: string } {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const made = spawnSync(
    'openssl',
    ['req', '-x509', ...kind, '-subj', '/CN=site', '-keyout', key, '-out', cert],
    {
      encoding: 'utf8',
    },
  )
  if (made.status !== 0) throw new Error(made.stderr)
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
}

beforeAll(async () => {
  plain = await startSite(createServer(), 'http')
  secure = await startSite(createTlsServer(foreignCertificate()), 'https')
})
afterAll(async () => {
  await killPrograms()
  for (const server of sites) {
    server.closeAllConnections()
    server.close()
  }
  rmSync(folder, { recursive: true, force: true })
})

const program = `
const call = async (url, init) => {
  const answer = await fetch(url, init)
  console.log(answer.status + ' ' + await answer.text())
}
await call(process.argv[1] + '/plain?x=1')
await call(process.argv[2] + '/secret', {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}',
})
process.exitCode = 7
`

sharing(
  'what a command sends through the proxy is recorded into a new collection, HTTPS too',
  async ({ shared }) => {
    const order = [
      '--collection',
      'proxied',
      '--proxy-port',
      '0',
      '--insecure',
      '--ca-folder',
      join(folder, 'ca'),
    ]
    const where = ['--server', shared.baseUrl, '--key', testKey]
    const command = ['--', process.execPath, '--input-type=module', '-e', program, plain, secure]
    const ended = await runCli(['proxy', ...order, ...where, ...command])
    expect(ended.stderr).toContain('Recorded 2 requests.')
    expect(ended.stdout.trim().split('\n')).toEqual(['200 {"said":""}', '200 {"said":"{\\"a\\":1}"}'])
    // The code of the command.
    expect(ended.code).toBe(7)
    const { apiCollections } = await ask(shared, 'getAllCollectionsBasic')
    const { id } = apiCollections!.find(({ displayName }) => displayName === 'proxied')!
    const { rows } = await shared.running.app.store.pool.query<{ url: string; message: string }>(
      `SELECT e.url, s.message FROM samples s JOIN endpoints e ON e.id = s.endpoint_id
       WHERE e.collection_id = $1 ORDER BY e.url`,
      [id],
    )
    // Recorded decoded, though it passed compressed.
    expect(rows).toMatchObject([
      { url: expect.stringContaining('/plain'), message: expect.stringContaining('said') },
      { url: expect.stringContaining('/secret'), message: expect.stringContaining('said') },
    ])
  },
)

sharing('a port that is taken and a command that does not exist end the proxy', async ({ shared }) => {
  const where = ['--collection', 'ended', '--server', shared.baseUrl, '--key', testKey]
  const own = ['--ca-folder', join(folder, 'ca-3')]
  const taken = new URL(plain).port
  const ends = await Promise.all([
    runCli([
      'proxy',
      '--collection',
      'not made',
      ...where.slice(2),
      ...own,
      '--proxy-port',
      taken,
      '--',
      process.execPath,
      '-e',
      '0',
    ]),
    runCli(['proxy', ...where, ...own, '--proxy-port', '0', '--', join(folder, 'no-such-command')]),
  ])
  expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual([
    [2, expect.stringContaining('the address is in use by another program; --proxy-port names another')],
    [2, expect.stringContaining('no-such-command cannot be started: there is no such file or folder')],
  ])
  const { apiCollections } = await ask(shared, 'getAllCollectionsBasic')
  expect(apiCollections!.map(({ displayName }) => displayName)).not.toContain('not made')
})

sharing('a certificate of an unknown authority is refused with what to do', async ({ shared }) => {
  const where = ['--collection', 'refused', '--server', shared.baseUrl, '--key', testKey]
  const own = ['--ca-folder', join(folder, 'ca-4'), '--proxy-port', '0']
  const fetched = `console.log(await (await fetch('${secure}')).text())`
  const command = ['--', process.execPath, '--input-type=module', '-e', fetched]
  const { stdout } = await runCli(['proxy', ...where, ...own, ...command])
  expect(stdout).toMatch(/does not trust its certificate \(\w+\): start vigil proxy with --insecure/)
})

sharing('hosts that are not named pass without being decrypted', { timeout: 60_000 }, async ({ shared }) => {
  const order = ['--collection', 'named hosts', '--proxy-port', '0', '--hosts', 'other.example']
  const where = ['--ca-folder', join(folder, 'ca-2'), '--server', shared.baseUrl, '--key', testKey, '--json']
  const started = startCommand(['proxy', ...order, ...where])
  let text = ''
  started.process.stderr!.on('data', (data: Buffer) => {
    text += data.toString()
  })
  const address = await until('the proxy listens', () => /"proxy":"([^"]+)"/.exec(text)?.[1] ?? '')
  const send = `const tls = require('node:tls'), net = require('node:net')
    const [, proxy, site] = process.argv.map((one) => one.replace(/.*\\//, ''))
    const socket = net.connect(Number(proxy.split(':')[1]), '127.0.0.1', () => socket.write('CONNECT ' + site + ' HTTP/1.1\\r\\n\\r\\n'))
    socket.once('data', () => {
      const secure = tls.connect({ socket, rejectUnauthorized: false }, () => {
        console.log(secure.getPeerCertificate().subject.CN)
        process.exit()
      })
    })`
  // In another process, since waiting for it would stop the site in this one.
  const { stdout } = await run(process.execPath, ['-e', send, address, secure])
  expect(stdout.trim()).toBe('site')
  started.process.kill('SIGTERM')
  const ended = await started.ended
  expect(ended.code).toBe(0)
  expect(ended.stderr).toContain('"recorded":0')
})
