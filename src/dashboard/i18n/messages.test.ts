import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Message, valueNames } from './message.ts'
import { de } from './messages/de.ts'
import { inventory } from './messages/en/inventory.ts'
import { overview } from './messages/en/overview.ts'
import { settings } from './messages/en/settings.ts'
import { signIn } from './messages/en/sign-in.ts'
import { en } from './messages/en.ts'
import { addMessages, inEnglish, t } from './translate.ts'

const english: Readonly<Record<string, Message>> = en
const german: Readonly<Record<string, Message>> = de

function forms(message: Message | undefined): readonly string[] {
  if (message === undefined) return []
  return typeof message === 'string' ? [message] : [message.one, message.other]
}

/** The sources of the dashboard without the messages and the tests. */
function sources(): string {
  const root = join(import.meta.dirname, '..')
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts') && !file.startsWith('i18n/messages'))
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .join('\n')
}

test('both languages have the same messages, with the same values', () => {
  expect(Object.keys(german)).toEqual(Object.keys(english))
  for (const [key, message] of Object.entries(english)) {
    const names = [...new Set(forms(message).flatMap(valueNames))].sort()
    expect([key, [...new Set(forms(german[key]).flatMap(valueNames))].sort()]).toEqual([key, names])
  }
})

test('no message is empty, and none is in two files', () => {
  for (const [key, message] of [...Object.entries(english), ...Object.entries(german)])
    expect([key, forms(message).every((form) => form.trim() !== '')]).toEqual([key, true])
  const folder = join(import.meta.dirname, 'messages', 'en')
  const keys = readdirSync(folder).flatMap((file) => [
    ...readFileSync(join(folder, file), 'utf8').matchAll(/^ {2}'([\w.]+)':/gm),
  ])
  expect(keys.length).toBe(Object.keys(english).length)
})

test('messages that come with a part of the dashboard are read in that part only', () => {
  const root = join(import.meta.dirname, '..')
  const parts = {
    overview: 'pages/home',
    settings: 'pages/settings',
    signIn: 'pages/sign-in',
    inventory: 'pages/endpoint',
  }
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !file.startsWith('i18n/'),
  )
  for (const [part, folder] of Object.entries(parts)) {
    const keys = Object.keys(english).filter(
      (key) => key in { overview, settings, signIn, inventory }[part as keyof typeof parts],
    )
    const elsewhere = files
      .filter((file) => !file.startsWith(folder))
      .flatMap((file) => {
        const text = readFileSync(join(root, file), 'utf8')
        return keys.filter((key) => text.includes(`'${key}'`)).map((key) => `${file}: ${key}`)
      })
    expect(elsewhere).toEqual([])
  }
})

test('every message is shown somewhere', () => {
  const text = sources()
  const unused = Object.keys(english).filter(
    (key) => !text.includes(`'${key}'`) && !text.includes(`"${key}"`),
  )
  expect(unused).toEqual([])
})

test('values are written as the language writes them, and counts choose the form', () => {
  expect(t('run.checks', { done: 1204, all: 12_000 })).toBe('1,204 of 12,000 checks')
  addMessages(settings)
  expect([t('keys.days', { count: 1 }), t('keys.days', { count: 7 })]).toEqual(['1 day', '7 days'])
})

test('what a page in English shares with others is in English, with the digits of English', () => {
  const range = { first: 1, last: 50, count: 12_000, total: 12_000, what: 'events' }
  expect(inEnglish('pager.range', range)).toBe('1–50 of 12,000 events')
  expect(inEnglish('pager.range', { ...range, last: 1, count: 1, total: 1 })).toBe('1–1 of 1')
  addMessages(settings)
  expect([inEnglish('keys.days', { count: 1 }), inEnglish('keys.days', { count: 7 })]).toEqual([
    '1 day',
    '7 days',
  ])
})
