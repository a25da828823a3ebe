import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { tidy } from './describe-element.ts'
import type { PageElement } from './dom.ts'
import { isPictureOf } from './survey.ts'

beforeAll(() => void vi.stubGlobal('tidy', tidy))
afterAll(() => vi.unstubAllGlobals())

/** An element that listens, in a button or a link. */
function inside(
  holder: 'BUTTON' | 'A',
  attributes: Readonly<Record<string, string>>,
  text = '',
): PageElement {
  return {
    parentElement: { closest: () => ({ tagName: holder }) },
    textContent: text,
    getAttribute: (name: string) => attributes[name] ?? null,
    hasAttribute: (name: string) => name in attributes,
  } as unknown as PageElement
}

test('the picture in a button or a link is not another button', () => {
  for (const name of ['icon', 'fa fa-check', 'credit-card', 'ms-editor', 'timestamp', 'robin', 'crossfade'])
    expect(isPictureOf(inside('BUTTON', { class: name })), name).toBe(true)
  expect(isPictureOf(inside('A', { class: 'icon' }))).toBe(true)
  expect(isPictureOf(inside('A', { class: 'icon' }, 'Open'))).toBe(false)
})

test('a picture that speaks of something else is a button, whatever holds it', () => {
  const names = [
    'clear',
    'btn-close',
    'fa fa-times',
    'fa-xmark',
    'icon-cross',
    'fa-trash',
    'bin',
    'bi bi-pencil',
  ]
  for (const name of [...names, 'fa-edit', 'editIcon', 'cancel', 'remove', 'delete-icon'])
    expect(isPictureOf(inside('BUTTON', { class: name })), name).toBe(false)
  expect(isPictureOf(inside('BUTTON', { 'aria-label': 'Remove' }))).toBe(false)
})
