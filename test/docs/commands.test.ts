import { spawn } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Market, startMarket } from '../../src/demo/index.ts'
import { type CliServer, startCli } from '../cli-process.ts'
import { NOT_RUN, shellBlocks, whyNotRun } from './shell-blocks.ts'

/** The commands of the documentation, as a reader would type them, in a folder with the files that they name. */

const root = resolve(import.meta.dirname, '../..')
const blocks = shellBlocks()
const runnable = blocks.filter((block) => whyNotRun(block) === undefined)
/** A scan ends with 10 when it proved something, and with 11 when the test of a guide fits none of the endpoints. */
const GOOD_CODES = [0, 10, 11]
const START_MS = 240_000

test('every block of commands is run here, or listed with the reason', () => {
  expect(runnable.length).toBeGreaterThan(8)
  const stale = NOT_RUN.filter(
    ({ page, starts }) => !blocks.some((block) => block.page === page && block.text.startsWith(starts)),
  )
  expect(stale).toEqual([])
})

describe('commands of the documentation', { tags: ['marathon'], timeout: 600_000 }, () => {
  const key = 'k'.repeat(40)
  let folder: string
  let server: CliServer
  let market: Market
  let files: { origin: string; close: () => void }

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'vigil-docs-'))
    market = await startMarket('all')
    server = await startCli(['--data-dir', join(folder, 'data'), '--api-key', key], undefined, START_MS)
    prepareFolder()
    files = await servedFiles(folder)
    await expectDone('vigil templates new DEBUG_HEADER --folder my-tests')
  }, 2 * START_MS)
  afterAll(async () => {
    server?.process.kill('SIGTERM')
    await server?.ended
    await market?.close()
    files?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test.each(runnable)('$page, line $line', async ({ text }) => expectDone(text))

  function prepareFolder(): void {
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    const vigil = `"${process.execPath}" "${join(root, 'src/cli/main.ts')}"`
    writeFileSync(join(bin, 'vigil'), `#!/bin/sh\nexec ${vigil} "$@"\n`)
    // In a clone: npm run -s vigil -- …
    writeFileSync(join(bin, 'npm'), `#!/bin/sh\nshift 4\nexec ${vigil} "$@"\n`)
    for (const name of ['vigil', 'npm']) chmodSync(join(bin, name), 0o755)
    const imports = join(root, 'test/fixtures/imports')
    cpSync(join(imports, 'shop-openapi-3.0.yaml'), join(folder, 'openapi.yaml'))
    cpSync(join(imports, 'shop-zap.json'), join(folder, 'zap-report.json'))
    cpSync(join(imports, 'shop-nuclei.jsonl'), join(folder, 'nuclei.jsonl'))
    mkdirSync(join(folder, 'api/paths'), { recursive: true })
    writeFileSync(
      join(folder, 'api/openapi.yaml'),
      "openapi: 3.0.3\ninfo: { title: shop, version: '1' }\npaths:\n  /orders: { $ref: paths/orders.yaml }\n",
    )
    writeFileSync(join(folder, 'api/paths/orders.yaml'), 'get: { responses: { 200: { description: ok } } }\n')
    mkdirSync(join(folder, 'proto/shop/v1'), { recursive: true })
    cpSync(join(imports, 'shop.proto'), join(folder, 'proto/shop/v1/orders.proto'))
    writeFileSync(
      join(folder, 'access.jsonl'),
      '{"verb":"GET","request":{"target":"/orders"},"code":200,"at":"2026-01-31T10:00:00Z"}\n',
    )
    writeFileSync(join(folder, 'roles.yaml'), 'ATTACKER:\n  Authorization: Bearer none\n')
    // The page shows the filter that its command reads.
    const guide = readFileSync(join(root, 'docs/guides/write-a-filter.md'), 'utf8')
    writeFileSync(join(folder, 'BACKUP_FILE_PROBE.yaml'), /^```yaml\n([\s\S]*?)^```/m.exec(guide)?.[1] ?? '')
  }

  async function expectDone(text: string): Promise<void> {
    const command = text
      .replaceAll('http://127.0.0.1:9090', server.baseUrl)
      .replaceAll('http://127.0.0.1:8080', market.origin)
      .replaceAll('https://shop.example/openapi.yaml', `${files.origin}/openapi.yaml`)
      .replaceAll('YOUR_KEY', key)
      .replaceAll('$VIGIL_KEY', key)
    const { code, output } = await shell(command)
    expect(GOOD_CODES, `${command}\n${output}`).toContain(code)
    // curl is content with any answer.
    expect(output).not.toMatch(/"(?:actionErrors|errors)":\["/)
  }

  async function shell(command: string): Promise<{ code: number | null; output: string }> {
    const child = spawn('bash', ['-euo', 'pipefail', '-c', command], {
      cwd: folder,
      env: {
        PATH: [join(folder, 'bin'), process.env['PATH']].join(delimiter),
        HOME: folder,
        VIGIL_BASE_URL: server.baseUrl,
        VIGIL_API_KEY: key,
        VIGIL_DATA_DIR: join(folder, 'data'),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)))
    const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
    return { code, output }
  }
})

async function servedFiles(folder: string): Promise<{ origin: string; close: () => void }> {
  const host = createServer((_request, response) => response.end(readFileSync(join(folder, 'openapi.yaml'))))
  host.listen(0, '127.0.0.1')
  await new Promise((resolve) => host.once('listening', resolve))
  return { origin: `http://127.0.0.1:${(host.address() as AddressInfo).port}`, close: () => host.close() }
}
