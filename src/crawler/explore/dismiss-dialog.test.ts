import { describe, expect, it } from 'vitest'
import { BoundedSet } from './bounded-set.ts'
import type { CrawlPorts } from './crawl-ports.ts'
import { discardChanges, dismissDialog } from './dismiss-dialog.ts'
import type { PageAction, PageSurvey } from './page/survey-types.ts'
import type { PageView } from './page-view.ts'

/** A tab whose page shows a dialog with these buttons; each closes it, and leads where it says. */
class Tab {
  readonly clicks: string[] = []
  readonly #url: string
  readonly #buttons: readonly string[]
  readonly #leadsTo: string
  readonly #toggle: string

  constructor(url: string, buttons: readonly string[], leadsTo = url, toggle = '') {
    this.#url = url
    this.#buttons = buttons
    this.#leadsTo = leadsTo
    this.#toggle = toggle
  }

  get view(): PageView {
    const page = {
      cause: '',
      quiet: async () => true,
      input: { press: async () => this.clicks.push('Escape') },
    }
    return {
      page,
      act: async ({ index }: PageAction) => this.clicks.push(this.#buttons[index] ?? '') > 0,
      survey: async () => this.survey,
    } as unknown as PageView
  }

  get survey(): PageSurvey {
    const isOpen = this.clicks.length === 0
    const actions = this.#buttons.map((name, index) => ({
      ...{ index, name, inDialog: true, isDisabled: false, guard: '', within: 'Question', events: ['click'] },
      toggles: name === this.#toggle,
    }))
    return {
      url: isOpen ? this.#url : this.#leadsTo,
      actions: isOpen ? actions : [],
    } as unknown as PageSurvey
  }
}

function crawl() {
  const context = { filters: new BoundedSet(100), ports: { changes: null } as unknown as CrawlPorts }
  return (tab: Tab) => dismissDialog(tab.view, tab.survey, ({ url }) => url, context)
}

describe('a dialog that another page has shown', () => {
  it.each([
    [['Accept all', 'Reject all'], 'Reject all'],
    [['Allow cookies', 'Only necessary'], 'Only necessary'],
    [['Accept', 'Essential only'], 'Essential only'],
    [['Accept all', 'Use necessary cookies only'], 'Use necessary cookies only'],
    [['Alle akzeptieren', 'Nur notwendige'], 'Nur notwendige'],
    [['Aceptar todo', 'Rechazar todo'], 'Rechazar todo'],
    [['Tout accepter', 'Tout refuser'], 'Tout refuser'],
    [['OK', 'Cancel'], 'Cancel'],
    [['OK', 'Decline'], 'Decline'],
    [['Agree', 'Got it'], 'Got it'],
    [['Reject all', 'Close'], 'Close'],
    [['Close', 'Maybe later'], 'Maybe later'],
    [['Settings', 'Accept all'], 'Accept all'],
    [['I have a key'], 'Escape'],
  ])('with %j is put away by what decides least: %s', async (buttons, clicked) => {
    const dismiss = crawl()
    await dismiss(new Tab('/first', buttons))
    const tab = new Tab('/second', buttons)
    expect(await dismiss(tab)).toMatchObject({ isKept: false, isLeft: false })
    expect(tab.clicks).toEqual([clicked])
  })

  it('is not put away by a switch in it', async () => {
    const dismiss = crawl()
    const tabs = ['/first', '/second'].map((url) => new Tab(url, ['Accept', 'Necessary'], url, 'Necessary'))
    for (const tab of tabs) await dismiss(tab)
    expect(tabs.map(({ clicks }) => clicks)).toEqual([[], ['Accept']])
  })

  it('is kept by the page that showed it first, whenever that is opened', async () => {
    const dismiss = crawl()
    for (let time = 0; time < 3; time++) {
      const tab = new Tab('/first', ['Skip'])
      expect(await dismiss(tab)).toMatchObject({ isKept: true })
      expect(tab.clicks).toEqual([])
    }
  })

  it('is kept by a page that is left when it is put away: the page is the dialog', async () => {
    const dismiss = crawl()
    await dismiss(new Tab('/orders/7/edit', ['Save', 'Close'], '/orders'))
    const first = new Tab('/people/7/edit', ['Save', 'Close'], '/people')
    expect(await dismiss(first)).toMatchObject({ isLeft: true })
    const again = new Tab('/people/7/edit', ['Save', 'Close'], '/people')
    expect(await dismiss(again)).toMatchObject({ isKept: true, isLeft: false })
    expect(again.clicks).toEqual([])
  })
})

/** Answers a dialog with these buttons. @returns which of them was clicked */
async function answer(
  text: string,
  buttons: readonly string[],
  { guard = '', allowsHarm = false } = {},
): Promise<string | null> {
  let clicked: string | null = null
  const actions = buttons.map((name, index) => ({
    ...{ index, name, inDialog: true, isDisabled: false, events: ['click'] },
    ...{ guard: `${name.toLowerCase()} ${guard}`, dialogText: `${text} ${buttons.join(' ')}` },
  }))
  const view = {
    page: { cause: '' },
    survey: async () => ({ actions }) as unknown as PageSurvey,
    act: async ({ name }: PageAction) => {
      clicked = name
      return true
    },
  } as unknown as PageView
  const context = { allowsHarm, ports: { changes: null } } as unknown as Parameters<typeof discardChanges>[1]
  expect(await discardChanges(view, context)).toBe(clicked !== null)
  return clicked
}

describe('a question whether to leave a page', () => {
  it.each([
    ['Unsaved changes', ['Keep editing', 'Discard changes'], 'Discard changes'],
    ['Are you sure?', ['Stay', 'Leave this page'], 'Leave this page'],
    ['Leave? You have unsaved changes.', ['Stay', 'Leave'], 'Leave'],
    ['Leave? Changes you made may not be saved.', ['Cancel', 'Leave'], 'Leave'],
    ["Your edits haven't been saved.", ['Back', 'Yes, discard'], 'Yes, discard'],
    ['You will lose your changes.', ['Stay', 'Abandon'], 'Abandon'],
    ['All changes will be lost', ['Stay', 'Leave anyway'], 'Leave anyway'],
    ['Ihre Änderungen wurden nicht gespeichert.', ['Bleiben', 'Verlassen'], 'Verlassen'],
    ['Hay cambios sin guardar', ['Seguir', 'Descartar'], 'Descartar'],
    ['Modifications non enregistrées', ['Rester', 'Quitter'], 'Quitter'],
  ])('%s %j is answered with %s', async (text, buttons, clicked) => {
    expect(await answer(text, buttons)).toBe(clicked)
  })

  it.each([
    ['Leave project? You lose access to it.', ['Cancel', 'Leave']],
    ['Leave the team? Others close their changes there.', ['Cancel', 'Yes, leave']],
    ['Abandon this order?', ['Back', 'Abandon']],
    ['Discard this invoice?', ['Back', 'Discard']],
    ['Discard the saved draft?', ['Back', 'Discard draft']],
    ['Gruppe verlassen?', ['Abbrechen', 'Verlassen']],
    ['Quitter le projet ?', ['Annuler', 'Quitter']],
  ])('is another one where nothing is unsaved: %s %j', async (text, buttons) => {
    expect(await answer(text, buttons)).toBeNull()
  })

  it.each([
    ['You have unsaved changes.', 'btn-delete'],
    ['You have unsaved changes. Your project is deleted with them: delete it?', ''],
  ])('is answered where harm may be done when leaving does more: %s', async (text, guard) => {
    expect(await answer(text, ['Stay', 'Leave'], { guard })).toBeNull()
    expect(await answer(text, ['Stay', 'Leave'], { guard, allowsHarm: true })).toBe('Leave')
  })
})
