import { describe, expect, it } from 'vitest'
import { type CrawlTask, hasBrowser, runCrawl } from '../../bench/crawler/run-crawl.ts'
import type { CrawlMode } from '../../src/crawler/explore/crawl-options.ts'
import { type ApiAnswer, type ApiCall, startSmallApp } from './small-app.ts'

const canRun = hasBrowser()
if (!canRun)
  console.warn('NOT TESTED: calls that only a script names, since there is no browser on this machine')

/** A list without buttons, and a client for it as bundles have it: a helper for requests, and addresses in variables. */
const script = `
const t = (path, options) => [path, options], send = ([path, options]) => fetch(path, options)
const flags = { archive: (n, r) => { let i = \`/api/flags/\${n}/archive\`, a = t(i, { method: 'POST', body: JSON.stringify({ reason: r }) }); return send(a) },
  drop: (n) => { let i = \`/api/flags/\${n}\`, a = t(i, { method: 'DELETE' }); return send(a) } }
call('GET', 'flags').then((answer) => answer.json()).then((list) => show(...list.map(({ name }) => make('p', {}, name))))
`

/** Archiving wants to be told whether to tell others. */
function answerTo({ line, body }: ApiCall): ApiAnswer {
  if (line === 'POST /api/flags/beta/archive' && !('silent' in JSON.parse(body)))
    return { status: 400, body: { details: [{ message: 'The `silent` property must be boolean.' }] } }
  return { status: 200, body: line === 'GET /api/flags' ? [{ name: 'beta' }] : {} }
}

async function crawled(
  mode: CrawlMode,
  limits: Partial<CrawlTask> = {},
  page = script,
): Promise<readonly string[]> {
  const app = await startSmallApp({ script: page, answer: answerTo })
  try {
    const { outcome } = await runCrawl({ start: `${app.origin}/`, seconds: 60, mode, tabs: 1, ...limits })
    return [...app.calls.map(({ line, body }) => `${line} ${body}`.trim()), `ended: ${outcome.end}`]
  } finally {
    await app.close()
  }
}

describe.skipIf(!canRun)('calls that only a script names', () => {
  it('are sent with values from traffic where anything may be changed', async () => {
    const calls = await crawled('full')
    // With what the answer asked for, once.
    expect(calls.filter((line) => /^POST .*beta/.test(line))).toEqual([
      'POST /api/flags/beta/archive {"reason":"vigil"}',
      'POST /api/flags/beta/archive {"reason":"vigil","silent":false}',
    ])
    expect(calls).toContain('DELETE /api/flags/beta')
  })

  it('are sent as well when a crawl has loaded as many pages as it may', async () => {
    expect(await crawled('full', { loads: 1 })).toContain('DELETE /api/flags/beta')
  })

  it('are sent as well when nothing new was found for long', async () => {
    const calls = await crawled('full', { saturationSeconds: 0.05 })
    expect(calls).toContain('ended: saturated')
    expect(calls).toContain('DELETE /api/flags/beta')
  })

  it('are read behind the first megabytes of a script', async () => {
    const bundle = `/* ${'Other modules. '.repeat(150_000)} */ ${script}`
    expect(await crawled('full', { loads: 1 }, bundle)).toContain('DELETE /api/flags/beta')
  })

  it('are not sent where nothing may be changed', async () => {
    const calls = await crawled('safe')
    expect(calls.filter((line) => !/^(?:GET|ended:) /.test(line))).toEqual([])
    // Nor is an existing record read at the path of an operation that writes.
    expect(calls.filter((line) => line.includes('beta'))).toEqual([])
    expect(calls).toContain('GET /api/flags')
  })
})
