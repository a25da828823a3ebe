import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CrawlMeasure, hasBrowser, type RequestLine, runCrawl } from '../../bench/crawler/run-crawl.ts'
import { type Console, startConsole } from './console-target.ts'

const canRun = hasBrowser()
if (!canRun)
  console.warn('NOT TESTED: that a crawl changes nothing, since there is no browser on this machine')

/** What the console offers to change, by the request that does it. */
const CHANGES = [
  'POST /api/flags/{}/on',
  'POST /api/flags/{}/off',
  'DELETE /api/flags/{}',
  'POST /api/tokens',
  'POST /api/invites',
  'POST /graphql',
  'POST /rpc',
  'PATCH /api/settings',
  'POST /settings/theme',
  'PUT /api/people/5',
  'DELETE /api/notes/{}',
]

function kindOf({ method, url }: RequestLine): string {
  return `${method} ${new URL(url).pathname.replace(/(flags|notes)\/[^/]+/, '$1/{}')}`
}

/** Whether a flag was archived, which a dialog asks about. */
function hasLostFlag(target: Console): boolean {
  const { flags } = JSON.parse(target.snapshot()) as { flags: Record<string, boolean> }
  return Object.keys(flags).length < 3
}

/** Whether a message of a web socket did what it says. */
function isRenamed(target: Console): boolean {
  return target.snapshot().includes('"channel":"renamed"')
}

describe.skipIf(!canRun)('a crawl that is to change nothing', () => {
  let target: Console
  let before: string
  let measure: CrawlMeasure

  beforeAll(async () => {
    target = await startConsole()
    before = target.snapshot()
    measure = await runCrawl({ start: `${target.origin}/`, seconds: 60, mode: 'safe', tabs: 4 })
  })

  afterAll(() => target?.close())

  it('leaves everything as it was', () => {
    expect(target.snapshot()).toBe(before)
  })

  it('records what it held back: switches, tokens, invitations, settings, records of other people', () => {
    const held = new Set(measure.requests.filter(({ outcome }) => outcome === 'held back').map(kindOf))
    expect(CHANGES.filter((kind) => !held.has(kind))).toEqual([])
  })

  it('sends what only reads, whatever its method', () => {
    const answered = new Set(measure.requests.filter(({ outcome }) => outcome === 'answered').map(kindOf))
    for (const kind of ['POST /api/people/search', 'POST /graphql', 'POST /rpc', 'GET /api/people/5/history'])
      expect(answered, kind).toContain(kind)
  })

  it('creates one draft once it knows how to delete it, and removes it at the end', () => {
    const made = target.requests.indexOf('POST /api/notes')
    expect(made).toBeGreaterThan(0)
    expect(target.requests.lastIndexOf('POST /api/notes')).toBe(made)
    expect(target.requests.slice(made).some((line) => /^DELETE \/api\/notes\/\d{5,}$/.test(line))).toBe(true)
    expect(target.requests).not.toContain('DELETE /api/notes/1')
  })

  it('sends messages over web sockets that ask for news, and none that change something', () => {
    expect(target.requests).toContain('MESSAGE {"type":"subscribe","channel":"news"}')
    expect(target.requests.filter((line) => /MESSAGE.*rename/.test(line))).toEqual([])
    expect(measure.edges.map(({ text }) => text)).toContain('Rename channel')
    const told = measure.outcome.summary?.leftOut.flatMap(({ examples }) => examples) ?? []
    expect(told.filter((kind) => kind.startsWith('SEND '))).toHaveLength(1)
  })

  it('follows no link that acts at once', () => {
    for (const line of [
      '/people/5/deactivate',
      '/people?action=promote&id=5',
      '/people/door?p=5',
      '/people/step?x=5',
    ])
      expect(target.requests).not.toContain(`GET ${line}`)
  })
})

describe.skipIf(!canRun)('a crawl of a throw-away target', () => {
  it('does everything', async () => {
    const target = await startConsole()
    try {
      await runCrawl({
        start: `${target.origin}/`,
        // It ends as soon as that is enough.
        seconds: 200,
        mode: 'full',
        tabs: 4,
        isEnough: () => /"invites":\["/.test(target.snapshot()) && hasLostFlag(target) && isRenamed(target),
      })
      expect(JSON.parse(target.snapshot()).invites.length).toBeGreaterThan(0)
      expect(hasLostFlag(target)).toBe(true)
      expect(isRenamed(target)).toBe(true)
    } finally {
      await target.close()
    }
  }, 240_000)
})
