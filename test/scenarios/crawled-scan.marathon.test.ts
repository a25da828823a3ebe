import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ScanResult } from '../../src/cli/scan/scan-result.ts'
import { testBrowser } from '../browser/browser.ts'
import { runCli } from '../cli-process.ts'

const browser = await testBrowser()
if (browser === null) console.warn('NOT TESTED: scans that crawl, since there is no browser on this machine')

const TOKEN = 'tok-3f9a1c77d2'
const HOME = `<!doctype html><title>Shop</title><main id="main">…</main><script>
fetch('/api/orders/7', { headers: { authorization: 'Bearer ' + localStorage.getItem('token') } })
  .then((answer) => answer.text()).then((text) => { document.getElementById('main').textContent = text })
</script>`
const LOGIN = `<!doctype html><title>Sign in</title>
<form id="form"><input id="user" name="user"><input id="password" type="password" name="password"><button>Sign in</button></form><script>
document.getElementById('form').addEventListener('submit', async (event) => {
  event.preventDefault()
  const [user, password] = ['user', 'password'].map((id) => document.getElementById(id).value)
  const answer = await fetch('/api/login', { method: 'POST', body: JSON.stringify({ user, password }) })
  if (!answer.ok) return
  localStorage.setItem('token', (await answer.json()).token)
  location.href = '/home'
})</script>`

describe.skipIf(browser === null)('a scan that crawls', () => {
  let folder: string
  let shop: Server
  let origin: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vigil-crawled-scan-'))
    shop = createServer((request, response) => void answer(request, response))
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
  })
  afterAll(() => {
    shop.closeAllConnections()
    shop.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('signs in by a recording, and proves what is wrong behind the login', {
    timeout: 300_000,
  }, async () => {
    const steps = [
      { action: 'navigate', url: `${origin}/login` },
      { action: 'type', selector: '#user', value: 'ada' },
      { action: 'type', selector: '#password', value: '${ADA_PASSWORD}' },
      { action: 'click', selector: 'button' },
      { action: 'wait', selector: '#main' },
    ]
    writeFileSync(join(folder, 'login.json'), JSON.stringify(steps))
    const headers = '{ Authorization: "Bearer ${login.response.body.token}" }'
    const recording = join(folder, 'login.json')
    const roles = join(folder, 'roles.yaml')
    writeFileSync(
      roles,
      `USER:\n  recording: ${recording}\n  token: localStorage.getItem('token')\n  headers: ${headers}\n`,
    )
    process.env['ADA_PASSWORD'] = 'ada-Passw0rd'
    const report = join(folder, 'scan.json')
    const args = [
      'scan',
      '--crawl',
      `${origin}/home`,
      '--crawl-time',
      '90s',
      '--roles',
      roles,
      '--json',
      report,
    ]
    const chosen = ['--tests', 'CORS_ORIGIN_REFLECTED', '--fail-on', 'low', '--browser', browser!.path]
    const end = await runCli([...args, ...chosen])
    delete process.env['ADA_PASSWORD']
    expect(end.code, end.stderr + end.stdout).toBe(10)
    const result = JSON.parse(readFileSync(report, 'utf8')) as ScanResult
    expect(result.inputs).toMatchObject([{ file: `${origin}/home`, format: 'CRAWL' }])
    expect(result.findings.flatMap(({ places }) => places.map(({ path }) => path))).toContain(
      '/api/orders/INTEGER',
    )
    expect(JSON.stringify(result) + end.stderr + end.stdout).not.toMatch(/ada-Passw0rd|tok-3f9a1c77d2/)
  })
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://shop.test').pathname
  const json = (status: number, value: object): void => {
    const from = request.headers.origin
    // The weakness: any origin may read what only Ada should.
    const cors =
      from === undefined
        ? {}
        : { 'access-control-allow-origin': from, 'access-control-allow-credentials': 'true' }
    response.writeHead(status, { 'content-type': 'application/json', ...cors }).end(JSON.stringify(value))
  }
  if (path === '/home' || path === '/login')
    return void response.writeHead(200, { 'content-type': 'text/html' }).end(path === '/home' ? HOME : LOGIN)
  if (path === '/api/login') {
    let body = ''
    for await (const part of request) body += String(part)
    return body.includes('ada-Passw0rd') ? json(200, { token: TOKEN }) : json(401, { error: 'wrong' })
  }
  if (!/^\/api\/orders\/\d+$/.test(path)) return json(404, { error: 'not found' })
  if (request.headers.authorization !== `Bearer ${TOKEN}`) return json(401, { error: 'sign in' })
  return json(200, { id: 7, buyer: 'ada', total: 31 })
}
