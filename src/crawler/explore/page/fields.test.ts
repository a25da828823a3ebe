import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { tidy } from './describe-element.ts'
import type { PageElement } from './dom.ts'
import { asksForChoice } from './fields.ts'

beforeAll(() => void vi.stubGlobal('tidy', tidy))
afterAll(() => vi.unstubAllGlobals())

function labelled(text: string, popup: string | null): PageElement {
  const getAttribute = (name: string) => (name === 'aria-haspopup' ? popup : null)
  return { tagName: 'BUTTON', labels: [{}], textContent: text, getAttribute } as unknown as PageElement
}

test('a labelled button that says that nothing was chosen is a field, unless it opens a menu of commands', () => {
  for (const popup of [null, 'listbox', 'dialog'])
    expect(asksForChoice(labelled('Select a color', popup)), String(popup)).toBe(true)
  for (const popup of ['menu', 'true'])
    expect(asksForChoice(labelled('Choose action', popup)), popup).toBe(false)
  expect(asksForChoice(labelled('Red', null))).toBe(false)
})
