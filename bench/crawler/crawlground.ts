import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describeCost, runCrawl } from './run-crawl.ts'

/*
 * Coverage of Crawlground: `node bench/crawler/crawlground.ts <folder of an installed checkout> [seconds] [tabs]`. Starts
 * its server on loopback and reads its own report afterwards. Set NO_STATIC=1 to crawl without reading scripts.
 */

const folder = process.argv[2]
if (!folder || !existsSync(join(folder, 'server.js'))) {
  console.error('Name the folder of a checkout of Crawlground in which npm install was run.')
  process.exit(2)
}
const port = Number(process.env['PORT'] ?? 21_610)
const origin = `http://127.0.0.1:${port}`
rmSync(join(folder, 'data/scores.json'), { force: true })
const server: ChildProcess = spawn(process.execPath, ['server.js'], {
  cwd: folder,
  env: { ...process.env, PORT: String(port) },
  stdio: 'ignore',
})
try {
  await answering(origin)
  const measure = await runCrawl({
    start: `${origin}/`,
    seconds: Number(process.argv[3] ?? 240),
    mode: 'full',
    tabs: Number(process.argv[4] ?? 4),
    // Its own pages for resetting and reporting scores are no part of the range.
    outscope: ['/reset', '/results', '/results.json', '/results.yaml', '/set-tool'],
    staticAnalysis: process.env['NO_STATIC'] === undefined,
  })
  const report = (await (await fetch(`${origin}/results.json`)).json()) as {
    tests: { id: string; tools: Record<string, { scored: boolean }> }[]
  }
  const scored = report.tests.filter((test) => Object.values(test.tools).some((tool) => tool.scored))
  const missed = report.tests.filter((test) => !scored.includes(test)).map((test) => test.id)
  console.log(`scored ${scored.length} of ${report.tests.length}`)
  if (missed.length > 0) console.log(`missed:\n  ${missed.join('\n  ')}`)
  console.log(describeCost(measure))
  for (const warning of measure.outcome.warnings.slice(0, 10)) console.log(`warning: ${warning}`)
} finally {
  server.kill('SIGKILL')
}
process.exit(0)

async function answering(url: string): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      await fetch(url)
      return
    } catch {
      // Not listening yet.
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  throw new Error(`${url} does not answer`)
}
