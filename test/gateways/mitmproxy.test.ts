import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { RARE_PROGRAM } from '../../scripts/test-files.ts'
import { importText } from '../../src/traffic/index.ts'
import { freePort } from '../server-process.ts'
import { until } from '../until.ts'

/** Sends a request through a proxy; false while that does not listen. */
async function send(port: number, url: string, body: string): Promise<boolean> {
  const headers = { host: new URL(url).host, 'content-type': 'application/json' }
  const outgoing = request({ host: '127.0.0.1', port, path: url, method: 'POST', headers, agent: false })
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

test('what mitmproxy saves is imported with both bodies', { tags: [RARE_PROGRAM] }, async ({ skip }) => {
  // Versions before 10.1 cannot save recordings.
  const version = /Mitmproxy: (\d+)\.(\d+)/.exec(
    spawnSync('mitmdump', ['--version']).stdout?.toString() ?? '',
  )
  if (version === null || Number(version[1]) < 10 || (version[1] === '10' && version[2] === '0')) {
    console.warn('\nSKIPPED: a recording of mitmproxy 10.1 or newer, which this machine does not have.\n')
    skip()
  }
  const folder = mkdtempSync(join(tmpdir(), 'vigil-test-mitmproxy-'))
  const site = createServer((incoming, response) => {
    incoming
      .resume()
      .on('end', () => response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":7}'))
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
  const port = await freePort()
  const file = join(folder, 'shop.har')
  const options = ['--listen-host', '127.0.0.1', '--listen-port', String(port)]
  const settings = ['--set', `confdir=${folder}`, '--set', `hardump=${file}`]
  const proxy: ChildProcess = spawn('mitmdump', ['-q', ...options, ...settings], { stdio: 'ignore' })
  try {
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/orders?page=2`
    await until('it answers', () => send(port, url, '{"qty":2}'), { isRight: (isSent) => isSent })
    const ended = once(proxy, 'exit')
    proxy.kill('SIGINT')
    await ended
    const { exchanges, importer } = importText(readFileSync(file))
    const [taken] = [...exchanges].map(({ exchange }) => exchange)
    expect(importer).toBe('har')
    expect(taken).toMatchObject({
      request: { method: 'POST', target: url, body: '{"qty":2}' },
      response: { status: 201, body: '{"id":7}' },
    })
  } finally {
    proxy.kill('SIGKILL')
    site.closeAllConnections()
    site.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
