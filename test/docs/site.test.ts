import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { AxeResults } from 'axe-core'
import Fastify from 'fastify'
import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildDocsSite } from '../../scripts/docs-site/build.ts'
import { addDocsSite } from '../../src/server/docs-files.ts'
import { startBrowser, stopBrowser, testBrowser } from '../browser/browser.ts'

const folder = mkdtempSync(join(tmpdir(), 'vigil-docs-site-'))
let pages: { name: string; html: string }[]

beforeAll(() => {
  buildDocsSite(folder)
  pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .map((name) => ({ name, html: readFileSync(join(folder, name), 'utf8') }))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('every page of the documentation and of the interface is there', () => {
  const names = pages.map(({ name }) => name)
  expect(names).toEqual(
    expect.arrayContaining([
      'index.html',
      'guides/pipeline.html',
      'reference/filters.html',
      'decisions/index.html',
    ]),
  )
  expect(names.filter((name) => name.startsWith('interface/')).length).toBeGreaterThan(5)
})

test('every link within the site leads to a page and a heading that exist', () => {
  const ids = new Map(
    pages.map(({ name, html }) => [name, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!))]),
  )
  const broken = pages.flatMap(({ name, html }) =>
    [...html.matchAll(/href="([^":]+)"/g)].flatMap(([, link = '']) => {
      const [path = '', anchor] = link.split('#')
      const target = path === '' ? name : join(dirname(name), path)
      if (!existsSync(join(folder, target))) return [`${name}: ${link}`]
      return anchor === undefined || ids.get(target)?.has(anchor) !== false ? [] : [`${name}: ${link}`]
    }),
  )
  expect(broken).toEqual([])
})

test('nothing is loaded from another host', () => {
  const loaded = pages.flatMap(({ html }) => [
    ...html.matchAll(/<(?:script|link|img|iframe)[^>]*?(?:src|href)="([^"]*)"/g),
  ])
  expect(loaded.length).toBeGreaterThan(100)
  expect(
    loaded.map(([, address]) => address).filter((address) => /^(?:[a-z]+:)?\/\//.test(address!)),
  ).toEqual([])
})

test('a server has the site at /docs, and a page where it was not built', async () => {
  const server = Fastify()
  await addDocsSite(server, folder)
  const bare = Fastify()
  await addDocsSite(bare, null)
  try {
    expect(await server.inject('/docs')).toMatchObject({ statusCode: 302, headers: { location: '/docs/' } })
    expect((await server.inject('/docs/')).body).toContain('Start in sixty seconds')
    expect((await server.inject('/docs/guides/pipeline.html')).headers['content-type']).toContain('text/html')
    expect((await server.inject('/docs/../package.json')).statusCode).toBe(404)
    expect((await bare.inject('/docs/')).body).toContain('The documentation was not built')
  } finally {
    await server.close()
    await bare.close()
  }
})

const found = await testBrowser()

describe.skipIf(found === null)('in a browser', { tags: ['marathon'] }, () => {
  const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
  let started: Awaited<ReturnType<typeof startBrowser>>
  beforeAll(async () => {
    started = await startBrowser(found!)
  })
  afterAll(() => stopBrowser(started))

  async function opened(name: string, scheme: 'light' | 'dark'): Promise<{ page: Page; asked: string[] }> {
    const page = await started.browser.newPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
    await page.goto(pathToFileURL(join(folder, name)).href)
    return { page, asked }
  }

  test.each(['light', 'dark'] as const)('pages have no breach of the rules of axe in %s', async (scheme) => {
    const breaches: string[] = []
    for (const name of [
      'index.html',
      'guides/pipeline.html',
      'configuration.html',
      'interface/crawler.html',
    ]) {
      const { page } = await opened(name, scheme)
      await page.evaluate(axeSource)
      const { violations } = (await page.evaluate('axe.run()')) as AxeResults
      breaches.push(...violations.map(({ id, nodes }) => `${name}: ${id}: ${nodes[0]?.html.slice(0, 120)}`))
      await page.close()
    }
    expect(breaches).toEqual([])
  })

  test('the search works in pages that were opened from a folder, by keyboard', async () => {
    const { page, asked } = await opened('guides/pipeline.html', 'light')
    await page.keyboard.press('/')
    await page.keyboard.type('restore backup')
    await page.waitForSelector('#results a')
    expect(await page.$eval('#results a', (link) => link.textContent)).toContain('restore')
    await page.keyboard.press('ArrowDown')
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
    expect(page.url()).toContain('back-up.html')
    expect(asked.filter((address) => !address.startsWith('file:'))).toEqual([])
    await page.close()
  })

  test('the switch between light and dark holds on the next page', async () => {
    const { page } = await opened('index.html', 'light')
    await page.click('#scheme')
    await page.goto(pathToFileURL(join(folder, 'cli.html')).href)
    expect(await page.$eval('html', (html) => html.dataset['scheme'])).toBe('dark')
    await page.close()
  })
})
