import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasBrowser, openBrowser } from '../../bench/crawler/run-crawl.ts'
import { CrawlGuard } from '../../src/crawler/browser/crawl-guard.ts'
import type { BrowserDriver } from '../../src/crawler/browser/driver.ts'
import { gesturesOf } from '../../src/crawler/explore/gestures.ts'
import type { PageSurvey } from '../../src/crawler/explore/page/survey-types.ts'
import { PageView } from '../../src/crawler/explore/page-view.ts'
import { CrawlScope } from '../../src/crawler/scope/crawl-scope.ts'
import { TargetScope } from '../../src/http/sender/index.ts'
import { until } from '../until.ts'
import { type RunningApp, startSmallApp } from './small-app.ts'

const canRun = hasBrowser()
if (!canRun)
  console.warn('NOT TESTED: what a crawl sees on a page, since there is no browser on this machine')

describe.skipIf(!canRun)('what a crawl sees on a page', () => {
  let app: RunningApp
  let browser: BrowserDriver
  let view: PageView

  beforeAll(async () => {
    app = await startSmallApp({ script: '' })
    browser = await openBrowser(app.origin)
    const scope = CrawlScope.read({ start: app.origin, outscope: [], templates: [] })
    if (typeof scope === 'string') throw new Error(scope)
    const targets = new TargetScope([new URL(app.origin).host])
    const guard = new CrawlGuard({ scope, targets, changes: null, requestsPerMinute: 0 })
    view = new PageView(await (await browser.newContext({ guard, sink: null })).newPage())
    await view.page.goto(app.origin, { deadlineMs: 60_000 })
  }, 120_000)

  afterAll(async () => {
    await browser?.close()
    await app?.close()
  })

  /** What is seen of a body, after a script has listened to what is in it. */
  async function seen(body: string, script = ''): Promise<PageSurvey> {
    await view.page.evaluate(`document.body.innerHTML = ${JSON.stringify(body)}; (() => { ${script} })()`)
    return view.survey()
  }

  const namesOf = ({ actions }: PageSurvey, kind = 'click'): string[] =>
    actions.filter(({ events }) => events.includes(kind)).map(({ name }) => name)

  it('sees a box in a button that a label names and that nothing was chosen in', async () => {
    const page = await seen(
      `<form><label for=kind>Kind</label><button type=button id=kind aria-expanded=false>Select a kind</button>
       <label for=size>Size</label><button type=button id=size aria-expanded=false>Large</button>
       <button type=button aria-expanded=false>Select many</button></form>`,
    )
    expect(page.fields.map(({ id, type }) => [id, type])).toEqual([['kind', 'combobox']])
  })

  it('tells what the row of an element says, and none of a menu', async () => {
    const page = await seen(
      `<table><tr><td>Kestrel</td><td><button>Edit</button></td></tr></table>
       <ul role=menu><li><button role=menuitem>Delete</button></li></ul>`,
    )
    expect(page.actions.map(({ name, row }) => [name, row])).toEqual([
      ['Edit', 'KestrelEdit'],
      ['Delete', ''],
    ])
  })

  it('sees elements for which jQuery listens at what holds them', async () => {
    // As jQuery 3 keeps its handlers: in a property of the element that listens.
    const page = await seen(
      '<div id=list><div class=row>First</div><div class=row>Second</div><div>Other</div></div>',
      `const list = document.getElementById('list')
       const handler = () => {}
       list.addEventListener('click', handler)
       list.jQuery3600123 = { events: { click: [{ selector: '.row', handler }, { selector: ':visible!', handler }],
         contextmenu: [{ selector: '.row', handler }, { handler }] } }`,
    )
    expect(namesOf(page)).toEqual(expect.arrayContaining(['First', 'Second']))
    expect(namesOf(page, 'contextmenu')).toEqual(['First', 'Second'])
  })

  it('sees a page whose own data is where jQuery keeps its handlers', async () => {
    const page = await seen(
      '<div id=list><div class=row>First</div><button>Add</button></div>',
      `const list = document.getElementById('list')
       const handler = () => {}
       const selector = '.row'
       list.jQuery3600123 = { events: null }
       list.jQuery3600124 = null
       list.jQuery3600125 = { get events() { throw new Error('of the page') } }
       list.jQuery3600126 = { events: { click: [null, 7, { selector, handler: Object.create(null) }, { selector, handler }] } }`,
    )
    expect(namesOf(page)).toEqual(['First', 'Add'])
  })

  it('takes tabs and the buttons of a list in a page for parts of it, also where a nav holds them', async () => {
    const page = await seen(
      '<nav><button>Home</button></nav><main><nav><button role=tab>Keys</button></nav><nav><button>Next page</button></nav></main>',
    )
    const navigation = page.actions.filter(({ inNavigation }) => inNavigation).map(({ name }) => name)
    expect(navigation).toEqual(['Home'])
    expect(namesOf(page)).toEqual(['Home', 'Keys', 'Next page'])
  })

  it('does not fill in how many rows a list shows', async () => {
    const box = '<button aria-expanded=false aria-haspopup=listbox>1 - 20</button>'
    const page = await seen(
      `<div class=pagination>${box}</div><div>${box}</div><table class=paginated><tr><td>${box}</td></tr></table>
       <section class=paginator><table><tr><td>${box}</td></tr></table><p>${box}</p></section>`,
    )
    expect(page.fields.map(({ type }) => type)).toEqual(Array.from({ length: 4 }, () => 'combobox'))
    expect(namesOf(page)).toContain('1 - 20')
  })

  it('uses the entries of a list, and not the list that listens for them', async () => {
    const page = await seen(
      '<ul id=list><li><a href=/a>First</a></li><li><a href=/b>Second</a></li></ul><div id=card>Card <button>Open</button></div>',
      `for (const id of ['list', 'card']) document.getElementById(id).addEventListener('click', () => {})`,
    )
    expect(page.actions.map(({ tag }) => tag)).not.toContain('ul')
    expect(namesOf(page)).toEqual(expect.arrayContaining(['First', 'Second', 'Card Open', 'Open']))
  })

  it('drags what can be dragged onto its neighbor, by drag events and by the mouse', async () => {
    const lists =
      '<ul id=a><li class=row draggable=true>One</li><li class=row draggable=true>Two</li></ul>' +
      '<ul id=b><li class="row drag-handle">Three</li><li class="row drag-handle">Four</li></ul>' +
      '<p id=c><a class=row href="#5">Five</a><a class=row href="#6">Six</a></p>'
    const page = await seen(
      lists,
      `let held = null
       globalThis.dropped = []
       const drop = (target) => { if (held && held !== target) dropped.push(held.textContent + ' on ' + target.textContent); held = null }
       for (const row of document.querySelectorAll('#a li, #c a')) {
         row.addEventListener('dragstart', () => { held = row })
         row.addEventListener('drop', () => drop(row))
       }
       for (const row of document.querySelectorAll('#b li')) {
         row.addEventListener('pointerdown', () => { held = row })
         row.addEventListener('pointerup', () => drop(row))
       }`,
    )
    for (const name of ['One', 'Three', 'Five']) {
      const action = page.actions.find((each) => each.name === name)!
      expect(gesturesOf(action)).toContain('drag')
      await view.act(action, 'drag')
    }
    await until('all are dropped', () => view.page.evaluate<string[]>('dropped'), {
      isRight: (dropped) => dropped.join() === 'One on Two,Three on Four,Five on Six',
    })
  })
})
