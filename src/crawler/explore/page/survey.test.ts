import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { calledIcon, iconOf, tidy } from './describe-element.ts'
import type { PageElement } from './dom.ts'
import { isPictureOf } from './survey.ts'

beforeAll(() => {
  vi.stubGlobal('tidy', tidy)
  vi.stubGlobal('calledIcon', calledIcon)
})
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

/** A button without a text that holds pictures, from the outermost to the innermost. */
function holding(...icons: readonly (readonly [string, Readonly<Record<string, string>>])[]): PageElement {
  const found = icons.map(([tagName, attributes]) => ({
    tagName,
    getAttribute: (name: string) => attributes[name] ?? null,
    querySelector: () => null,
    querySelectorAll: () => [],
  }))
  return { tagName: 'BUTTON', querySelectorAll: () => found } as unknown as PageElement
}

test('a picture without a text is called as its library calls it', () => {
  expect(iconOf(holding(['svg', { class: 'MuiSvgIcon-root', 'data-testid': 'MoreVertIcon' }]))).toBe(
    'MoreVert',
  )
  expect(iconOf(holding(['svg', { class: 'MuiSvgIcon-root MuiSvgIcon-fontSizeMedium' }]))).toBe('')
  expect(iconOf(holding(['svg', { class: 'lucide lucide-trash-2' }]))).toBe('trash-2')
  expect(iconOf(holding(['ION-ICON', { name: 'create-outline' }]))).toBe('create-outline')
  expect(iconOf(holding(['ICONIFY-ICON', { icon: 'mdi:delete' }]))).toBe('delete')
  expect(iconOf(holding(['I', { class: 'fa fa-edit' }]))).toBe('edit')
})

test('a picture is found in what holds it, which is called an icon, too', () => {
  expect(iconOf(holding(['SPAN', { class: 'v-icon' }], ['I', { 'data-icon': 'delete' }]))).toBe('delete')
})
