import { describe, expect, it, test } from 'vitest'
import { button, page } from '../../../test/crawler/choosing-fixture.ts'
import { harmOf } from '../../http/harmful-words.ts'
import { CrawlScope } from '../scope/crawl-scope.ts'
import { BoundedSet } from './bounded-set.ts'
import { Budget } from './budget.ts'
import type { FoundUrl } from './crawl-ports.ts'
import { fingerprintOf, roughDistance, simhash } from './fingerprint.ts'
import { type Candidate, Harvest } from './harvest.ts'
import { Knowledge } from './knowledge.ts'
import { locationKey, pageUrl, pathTemplate, requestKind } from './locations.ts'
import { MemoryFrontier } from './memory-frontier.ts'
import type { PageSurvey } from './page/survey-types.ts'
import { type SiblingFacts, SiblingPages } from './sibling-pages.ts'
import { SignatureMemory } from './signature-memory.ts'
import { States } from './states.ts'
import { Yields } from './yields.ts'

function scope(templates: string[] = []): CrawlScope {
  const read = CrawlScope.read({ start: 'http://shop.test/', outscope: ['/private'], templates })
  if (typeof read === 'string') throw new Error(read)
  return read
}

function survey(names: readonly string[], change: Partial<PageSurvey> = {}): PageSurvey {
  const actions = names.map((name, index) =>
    button(name, {
      ...{ index, tag: 'div', guard: name, structure: 'div<body', handlers: 1 },
      xpath: `/html/body/div[${index + 1}]`,
    }),
  )
  return page(actions, { tags: 'html body div', elements: 3, listening: names.length, ...change })
}

describe('locations', () => {
  it('are templates of paths, names of queries and routes of fragments', () => {
    const key = (url: string) => locationKey(new URL(url), scope(['/shop/{kind}/list']))
    expect(key('http://shop.test/users/17?b=1&a=2')).toBe('http://shop.test/users/{int}?a&b')
    expect(key('http://shop.test/#/order/9?x=1')).toBe('http://shop.test/#/order/{int}?x')
    expect(key('http://shop.test/#part')).toBe('http://shop.test/')
    expect(key('http://shop.test/shop/shoes/list')).toBe('http://shop.test/shop/{kind}/list')
    expect(pathTemplate('/a/2024-05-01/9f86d081884c7d65/f81d4fae-7dec-11d0-a765-00a0c91e6bf6')).toBe(
      '/a/{date}/{hex}/{uuid}',
    )
    expect(pathTemplate('/05-a-long-name-of-a-page/eyJhbGciOiJIUzI1NiIsInR5cCI6')).toBe(
      '/05-a-long-name-of-a-page/{token}',
    )
    expect(requestKind('POST', new URL('http://shop.test/api/7?q=x'))).toBe('POST shop.test/api/{int}?q')
    expect(pageUrl(new URL('http://shop.test/a#top'))).toBe('http://shop.test/a')
    expect(pageUrl(new URL('http://shop.test/a#!b'))).toBe('http://shop.test/a#!b')
  })
})

describe('fingerprints', () => {
  it('change when an element appears that only listens, and not with numbers or positions', () => {
    const plain = fingerprintOf(survey(['Open']))
    expect(fingerprintOf(survey(['Open', 'More'])).exact).not.toBe(plain.exact)
    expect(fingerprintOf(survey(['Item 1'])).exact).toBe(fingerprintOf(survey(['Item 2'])).exact)
    expect(fingerprintOf(survey(['Open'], { dialogs: 1 })).exact).not.toBe(plain.exact)
  })

  it('are near for pages that differ in a row, and far for others', () => {
    const row = 'tr td a td span td button'
    const table = (rows: number) => simhash(`html body table ${`${row} `.repeat(rows)}`.trim().split(' '))
    const form = simhash(
      'html body form label input label input label select option option button p p'.split(' '),
    )
    expect(roughDistance(table(20), table(21))).toBeLessThanOrEqual(3)
    expect(roughDistance(table(20), form)).toBeGreaterThan(10)
  })
})

describe('words of harm', () => {
  it('are known in many languages, in names, icons and paths', () => {
    for (const text of [
      'Log out',
      'logoutButton',
      '/users/sign_out',
      'Abmelden',
      'Cerrar sesión',
      'ログアウト',
      'Выход',
    ]) {
      expect(harmOf(text), text).toBe('ends the session')
    }
    for (const text of [
      'Delete account',
      'fa fa-trash',
      '/api/items/removeAll',
      'Löschen',
      '刪除',
      'btn-delete',
      'Supprimer',
    ]) {
      expect(harmOf(text), text).toBe('destroys')
    }
  })

  it('are not seen in harmless neighbours', () => {
    for (const text of [
      'Dropdown menu',
      'Reset filters',
      'Blogout of things',
      'Payment options',
      'Silver',
      'Salary',
      'Show banner',
    ]) {
      expect(harmOf(text), text).toBeNull()
    }
  })
})

describe('signatures', () => {
  it('are dropped after three fruitless runs in a row, and welcome again after a find', () => {
    const memory = new SignatureMemory()
    memory.note('a', false)
    memory.note('a', false)
    expect(memory.isDropped('a')).toBe(false)
    memory.note('a', true)
    for (let i = 0; i < 3; i++) memory.note('a', false)
    expect(memory.isDropped('a')).toBe(true)
    memory.forgive()
    expect(memory.isDropped('a')).toBe(false)
    memory.ban('a')
    memory.forgive()
    expect(memory.isDropped('a')).toBe(true)
  })

  it('and sets forget instead of growing', () => {
    const memory = new SignatureMemory(10)
    for (let i = 0; i < 100; i++) memory.note(`s${i}`, false)
    expect([memory.promise('s89'), memory.promise('s90'), memory.promise('s99')]).toEqual([2, 0, 0])
    const set = new BoundedSet(10)
    for (let i = 0; i < 100; i++) set.add(`s${i}`)
    expect(set.size).toBe(10)
    expect(set.add('s99')).toBe(false)
  })
})

describe('work', () => {
  it('of every class is chosen by what it brings, and none starves', () => {
    const yields = new Yields()
    expect(yields.order()[0]).toBe('load')
    for (let i = 0; i < 20; i++) {
      yields.note('load', 10, 0)
      yields.note('explore', 10, 8)
      yields.note('probe', 10, 0)
    }
    const first = Array.from({ length: 60 }, () => yields.order()[0])
    expect(first.filter((kind) => kind === 'explore').length).toBeGreaterThan(45)
    expect(new Set(first).size).toBeGreaterThan(1)
    for (let i = 0; i < 200; i++) yields.note('explore', 10, 8)
    expect(yields.order()[0]).not.toBe('explore')
    yields.note('probe', 200, 0)
    yields.note('load', 700, 0)
    expect(yields.order()[0]).toBe('explore')
  })

  it('gives a class its share although others that have less than theirs bring more', () => {
    const yields = new Yields()
    yields.note('probe', 100, 200)
    yields.note('load', 10, 10)
    expect(yields.order()[0]).toBe('explore')
    yields.note('explore', 30, 0)
    expect(yields.order()[0]).toBe('load')
  })

  it('ends with its time, and when nothing new was seen for long', () => {
    let now = 0
    const budget = new Budget({ seconds: 600, spentSeconds: 100 }, () => now)
    expect(budget.ended(0)).toBeNull()
    expect(budget.ended(601_000)).toBe('saturated')
    now = 480_000
    expect(budget.left).toBe(20)
    expect(budget.ended(0)).toBe('budget')
  })

  it('is taken best first, tried again once, and then put aside with the reason', async () => {
    const frontier = new MemoryFrontier()
    const item = { kind: 'load', location: 'x', payload: '{}' } as const
    const added = await frontier.add([
      { ...item, key: 'a', priority: 1 },
      { ...item, key: 'b', priority: 2 },
      { ...item, key: 'a', priority: 9 },
    ])
    expect(added).toBe(2)
    const best = await frontier.take('load')
    expect(best?.key).toBe('b')
    expect(await frontier.fail(best!.id, 'first')).toBe(true)
    const again = await frontier.take('load')
    expect(again).toMatchObject({ key: 'b', attempts: 1 })
    expect(await frontier.fail(again!.id, 'second')).toBe(false)
    expect(frontier.dead).toEqual([{ key: 'b', reason: 'second' }])
  })
})

describe('states', () => {
  it('know what is new, and what was done at a location', () => {
    const states = new States()
    const one = fingerprintOf(survey(['Open']))
    expect(states.note('x', one)).toEqual({ isNew: true, isNewLook: true })
    expect(states.note('x', one).isNew).toBe(false)
    expect(states.note('y', one).isNew).toBe(true)
    states.markDone('x', 'click', 'div<body')
    expect(states.isDone('x', 'click')).toBe(true)
    expect(states.isDone('y', 'click')).toBe(false)
    expect(states.samples('x', 'div<body')).toBe(1)
  })

  it('take back what was done since the session was lost', async () => {
    const states = new States()
    states.markDone('x', 'before', 'div<body')
    const lostMs = Date.now()
    await expect.poll(() => Date.now()).toBeGreaterThan(lostMs)
    states.markDone('x', 'after', 'div<body')
    states.markDone('y', 'after', 'div<body')
    states.unmarkSince('x', lostMs)
    expect([states.isDone('x', 'before'), states.isDone('x', 'after')]).toEqual([true, false])
    expect(states.isDone('y', 'after')).toBe(true)
  })
})

function facts(change: Partial<SiblingFacts>): SiblingFacts {
  return { rough: [1, 1], elements: 80, isFruitful: false, offersNews: false, ...change }
}

describe('sibling pages', () => {
  it('are enough after a dozen that look the same and call nothing new', () => {
    const siblings = new SiblingPages()
    const notes = Array.from({ length: 20 }, (_, n) => {
      const url = new URL(`http://shop.test/blog/title-of-${'abcdefghijklmnopqrstuvwxyz'[n]}`)
      return siblings.isEnough(url) ? 'left out' : siblings.note(url, facts({ rough: [1, n % 2] }))
    })
    expect(notes.filter((note) => note === '/blog/{name}')).toHaveLength(1)
    expect(notes.filter((note) => note === 'left out')).toHaveLength(8)
    expect(siblings.isEnough(new URL('http://shop.test/shop/x'))).toBe(false)
  })

  it('are not enough for parts that the navigation names, unless there are many', () => {
    const siblings = new SiblingPages()
    const part = (n: number): URL => new URL(`http://shop.test/console/#/shop/part-${n}`)
    for (let n = 0; n < 13; n++) siblings.note(part(n), facts({}))
    expect(siblings.isEnough(part(13))).toBe(true)
    expect(siblings.isEnough(part(13), true)).toBe(false)
    for (let n = 13; n < 40; n++) siblings.note(part(n), facts({}))
    expect(siblings.isEnough(part(40), true)).toBe(true)
  })

  it('are not enough while they call something new, or are too small to compare', () => {
    const siblings = new SiblingPages()
    for (let n = 0; n < 40; n++) {
      siblings.note(new URL(`http://shop.test/a/${n}`), facts({ isFruitful: n % 3 === 0 }))
      siblings.note(new URL(`http://shop.test/b/${n}`), facts({ elements: 8 }))
    }
    expect(siblings.isEnough(new URL('http://shop.test/a/x'))).toBe(false)
    expect(siblings.isEnough(new URL('http://shop.test/b/x'))).toBe(false)
  })

  it('are not enough while each has its own buttons, except in an endless folder', () => {
    const siblings = new SiblingPages()
    const seen: number[] = []
    for (let n = 0; n < 100; n++) {
      const url = new URL(`http://shop.test/acme/part-${n}`)
      if (siblings.isEnough(url)) break
      siblings.note(url, facts({ offersNews: true }))
      seen.push(n)
    }
    expect(seen.length).toBeGreaterThan(50)
    expect(seen.length).toBeLessThan(80)
  })
})

describe('the harvest', () => {
  it('notes of a page whether the navigation names it', async () => {
    const frontier = new MemoryFrontier()
    const harvest = harvestOf(frontier, [])
    const [list, part] = ['/list', '/part'].map((path) => page(`http://shop.test${path}`, 'link'))
    await harvest.take([list!, { ...part!, inNavigation: true }])
    const payloads: unknown[] = []
    for (let item = await frontier.take('load'); item !== null; item = await frontier.take('load'))
      payloads.push(JSON.parse(item.payload))
    expect(payloads).toContainEqual(expect.objectContaining({ url: 'http://shop.test/part', isPart: true }))
    expect(payloads).toContainEqual(expect.not.objectContaining({ isPart: true }))
  })

  async function take(
    urls: readonly string[],
    allowsHarm = false,
    isSignedIn = false,
  ): Promise<{ found: FoundUrl[]; queued: number }> {
    const found: FoundUrl[] = []
    const harvest = harvestOf(new MemoryFrontier(), found, allowsHarm, isSignedIn)
    const queued = await harvest.take(urls.map((url) => page(url, 'link')))
    return { found, queued }
  }

  function page(url: string, origin: string): Candidate {
    return { url, origin, use: 'page', sourceUrl: 'http://shop.test/', sourceXpath: '/a', text: '' }
  }

  function harvestOf(
    frontier: MemoryFrontier,
    found: FoundUrl[],
    allowsHarm = false,
    isSignedIn = false,
  ): Harvest {
    return new Harvest(
      scope(),
      {
        frontier,
        sink: { url: (each) => void found.push(each), edge: () => {}, exchange: () => {}, log: () => {} },
        browser: { openContext: () => Promise.reject(new Error('not needed')) },
        session: null,
        memory: null,
        stop: new AbortController().signal,
      },
      allowsHarm,
      undefined,
      isSignedIn,
    )
  }

  it('loads what pages link to before what only scripts name, each once', async () => {
    const frontier = new MemoryFrontier()
    const harvest = harvestOf(frontier, [])
    const next = async () => {
      const item = await frontier.take('load')
      if (item === null) return null
      const isBegun = harvest.beginLoad(item.key)
      await frontier.done(item.id)
      return [new URL(JSON.parse(item.payload).url).pathname, isBegun]
    }
    await harvest.take([page('http://shop.test/old', 'script'), page('http://shop.test/own', 'script')])
    await harvest.take([page('http://shop.test/a/b/c/d/e', 'link'), page('http://shop.test/own', 'link')])
    expect([await next(), await next(), await next(), await next()]).toEqual([
      ['/own', true],
      ['/a/b/c/d/e', true],
      ['/old', true],
      ['/own', false],
    ])
    expect(await harvest.take([page('http://shop.test/old', 'link')])).toBe(0)
  })

  it('loads other parts before the records of one folder', async () => {
    const frontier = new MemoryFrontier()
    const harvest = harvestOf(frontier, [])
    const records = ['ann', 'ben', 'cleo', 'dora'].map((name) =>
      page(`http://shop.test/people/${name}`, 'link'),
    )
    await harvest.take([...records, page('http://shop.test/orders/today/open', 'link')])
    const order: string[] = []
    for (let item = await frontier.take('load'); item !== null; item = await frontier.take('load')) {
      order.push(new URL(JSON.parse(item.payload).url).pathname)
      await frontier.done(item.id)
    }
    expect(order.indexOf('/orders/today/open')).toBe(1)
    expect(order).toHaveLength(5)
  })

  it('queues a calendar a few times only', async () => {
    const months = Array.from({ length: 500 }, (_, month) => `http://shop.test/calendar?month=${month}`)
    const days = Array.from({ length: 500 }, (_, day) => `http://shop.test/day/${day}`)
    const named = Array.from({ length: 500 }, (_, n) => `http://shop.test/item-${n}-x`)
    expect((await take(months)).queued).toBe(3)
    expect((await take(days)).queued).toBe(3)
    expect((await take(named)).queued).toBe(12)
  })

  it('never leads somebody who is signed in out again, whatever may be done', async () => {
    expect((await take(['http://shop.test/logout'], true, true)).queued).toBe(0)
    expect((await take(['http://shop.test/delete-item', 'http://shop.test/a'], true, true)).queued).toBe(2)
    expect((await take(['http://shop.test/logout'], true)).queued).toBe(1)
  })

  it('records everything with a reason, and follows only what belongs to the crawl', async () => {
    const { found, queued } = await take([
      'http://shop.test/a',
      'http://other.test/b',
      'http://shop.test/private/c',
      'http://shop.test/logout',
      `http://shop.test/${'x/'.repeat(20)}`,
      'http://shop.test/a',
    ])
    expect(queued).toBe(1)
    expect(
      found.map(({ url, accepted, reason }) => [new URL(url).pathname.slice(0, 10), accepted, reason]),
    ).toEqual([
      ['/a', true, ''],
      ['/b', false, 'other host'],
      ['/private/c', false, 'out of scope: /private'],
      ['/logout', false, 'avoided: ends the session'],
      ['/x/x/x/x/x', false, 'too deep'],
    ])
  })
})

test('an operation counts once, and less when it is only filtered; a document that many addresses share not at all', () => {
  const knowledge = new Knowledge(scope())
  knowledge.noteKind('GET shop.test/items', 'tab')
  expect(knowledge.takeFinds('tab')).toBe(1)
  knowledge.noteKind('GET shop.test/items?sort', 'tab')
  knowledge.noteKind('GET shop.test/items?page&sort', 'tab')
  expect(knowledge.takeFinds('tab')).toBe(0.5)
  knowledge.noteKind('GET shop.test/settings', 'tab', true)
  expect(knowledge.takeFinds('tab')).toBe(0)
  expect(knowledge.kindCount).toBe(4)
})

test('parts of an application below its root are not left out because a dozen share its frame', () => {
  const siblings = new SiblingPages()
  for (let n = 0; n < 20; n++)
    expect(siblings.note(new URL(`http://shop.test/part-${n}`), facts({}))).toBeNull()
  expect(siblings.isEnough(new URL('http://shop.test/part-x'))).toBe(false)
})
