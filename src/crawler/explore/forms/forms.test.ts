import { describe, expect, it } from 'vitest'
import type { PageField } from '../page/survey-types.ts'
import { captchaAnswer } from './captcha.ts'
import { changedValue } from './changed-value.ts'
import { fieldValue, type ValueSources } from './field-value.ts'
import { englishAmong, isOfLanguages, languagesAmong, namesLanguage } from './languages.ts'
import { otherValue } from './other-value.ts'
import { personaOf } from './persona.ts'
import { sampleFile } from './sample-file.ts'

const persona = personaOf('abc')
const sources: ValueSources = { persona, own: {}, seen: () => null, term: 'hammer', key: () => 'vigil-7' }

function field(change: Partial<PageField>): PageField {
  return {
    index: 0,
    tag: 'input',
    type: 'text',
    role: '',
    name: '',
    id: '',
    label: '',
    autocomplete: '',
    pattern: '',
    min: '',
    max: '',
    step: '',
    minLength: -1,
    maxLength: -1,
    isRequired: false,
    accept: '',
    value: '',
    isChecked: false,
    isRefused: false,
    hint: '',
    confirms: '',
    isFocused: false,
    inDialog: false,
    options: [],
    form: 0,
    inNavigation: false,
    xpath: '',
    ...change,
  }
}

function text(change: Partial<PageField>, from: ValueSources = sources): string | undefined {
  return fieldValue(field(change), from, 0)?.text
}

describe('values of fields', () => {
  it('fit type, limits and pattern', () => {
    expect(text({ type: 'email' })).toBe(persona.email)
    expect(text({ type: 'number', min: '10', max: '20' })).toBe('10')
    expect(text({ type: 'date', min: '2031-01-01' })).toBe('2031-01-01')
    expect(text({ name: 'zip', pattern: '[0-9]{5}' })).toBe('77777')
    expect(text({ name: 'nick', maxLength: 4 })).toBe('vigi')
    expect(text({ name: 'street', minLength: 30 })).toHaveLength(30)
  })

  it('follow names and labels in several languages, and are the same person every time', () => {
    expect(text({ type: 'password', name: 'pw' })).toBe(text({ type: 'password', name: 'repeat' }))
    expect(text({ label: 'vorname' })).toBe('Vera')
    expect(text({ label: 'apellido' })).toBe('Vigil')
    expect(text({ label: 'card number' })).toBe('4111111111111111')
    expect(text({ label: 'search the shop' })).toBe('hammer')
  })

  it('tell names of people from names of things, which may have to be keys that nothing has yet', () => {
    expect(text({ label: 'full name' })).toBe('Vera Vigil')
    expect(text({ name: 'name', autocomplete: 'name' })).toBe('Vera Vigil')
    expect(text({ label: 'project name' })).toBe('vigil-7')
  })

  it('are addresses where an origin or a host is asked for, and no search in a text of many lines', () => {
    expect(text({ type: 'textarea', label: 'allowed origins, or search in all' })).toBe(
      'https://vigil.example.com',
    )
    expect(text({ label: 'host name' })).toBe('vigil.example.com')
    expect(text({ type: 'textarea', label: 'what do you want to find' })).not.toBe('hammer')
  })

  it('identify a new thing by a key that nothing has yet, and refer to others by what traffic knows', () => {
    const from: ValueSources = { ...sources, seen: () => 'account' }
    const ids = [{ name: 'clientId' }, { name: 'client_id' }, { label: 'object id *' }, { label: 'url slug' }]
    for (const each of ids)
      expect(text(each, { ...from, makesNew: true }), JSON.stringify(each)).toBe('vigil-7')
    expect(text({ name: 'clientId' }, from)).toBe('account')
    expect(text({ name: 'valid', label: 'valid until' }, { ...from, makesNew: true })).toBe('account')
  })

  it('make another account than that of the crawl where somebody is signed in', () => {
    const making: ValueSources = { ...sources, makesNew: true }
    expect(text({ name: 'username' }, making)).toBe(persona.userName)
    expect(text({ name: 'username' }, { ...making, isSignedIn: true })).toBe('vigil-7')
    expect(text({ type: 'email' }, { ...making, isSignedIn: true })).toMatch(/^vigil-7@/)
    expect(text({ type: 'email' }, { ...sources, isSignedIn: true })).toBe(persona.email)
  })

  it('leave the address that an application has for itself empty, where it is not required', () => {
    const own = [
      { name: 'attributes.frontendUrl' },
      { name: 'attributes.frontendUrl', type: 'url' },
      { label: 'Frontend URL'.toLowerCase() },
      { label: 'issuer' },
    ]
    for (const each of own) expect(text(each), JSON.stringify(each)).toBeUndefined()
    expect(text({ label: 'frontend url', isRequired: true })).toBe('https://example.com/vigil.png')
    expect(text({ label: 'website url' })).toBe('https://example.com/vigil.png')
  })

  it('are those of the operator where given, and seen ones for names that traffic knows', () => {
    expect(text({ name: 'vat' }, { ...sources, own: { vat: 'DE123' } })).toBe('DE123')
    expect(
      text({ name: 'basketid' }, { ...sources, seen: (name) => (name === 'basketid' ? '42' : null) }),
    ).toBe('42')
  })

  it('choose in lists, boxes and files', () => {
    const options = ['', 'a', 'b'].map((value) => ({ value, text: value, isDisabled: false }))
    expect(text({ type: 'select', options })).toBe('b')
    expect(text({ type: 'select', name: 'expiryYear', options })).toBe('b')
    expect(fieldValue(field({ type: 'checkbox' }), sources, 0)?.checked).toBe(true)
    expect(fieldValue(field({ type: 'radio' }), sources, 1)).toBeNull()
    expect(fieldValue(field({ type: 'file', accept: '.pdf' }), sources, 0)?.file?.name).toBe('vigil.pdf')
    expect(Buffer.from(sampleFile('').base64, 'base64').subarray(1, 4).toString()).toBe('PNG')
  })

  it('do sums where a field asks for one, and are a guess at other captchas', () => {
    expect(captchaAnswer('captcha: what is 4+7*2-3 ?')).toBe('15')
    expect(captchaAnswer('type the letters')).toBeNull()
    expect(text({ label: 'captcha: type the letters', maxLength: 4 })).toBe('vigi')
  })

  it('do not change the language of the page', () => {
    const options = ['de', 'fr'].map((value) => ({ value, text: value, isDisabled: false }))
    expect(text({ type: 'select', label: 'language', options })).toBeUndefined()
  })

  it('are others where a field refused one: first what its hints ask for, then of other kinds', () => {
    const other = (change: Partial<PageField>, round: number) =>
      otherValue(field(change), round, 'vigil-1')?.text
    expect(other({ type: 'number', hint: 'must be within 10-1000 litres' }, 0)).toBe('10')
    expect(other({ type: 'number', hint: 'must be within 10-1000 litres' }, 1)).toBe('505')
    expect(other({ hint: 'enter the 6 digits of your device' }, 0)).toBe('123456')
    expect(other({ pattern: '^[\\d]{8}$' }, 0)).toBe('12345678')
    expect(other({ hint: 'at least 20 characters' }, 1)).toHaveLength(20)
    expect(other({ type: 'number' }, 1)).toBe('100')
    expect(other({ hint: 'a flag with that name already exists' }, 0)).toBe('vigil-1')
    expect(other({ hint: 'the name must be url friendly' }, 0)).toBe('vigil-1')
    expect(other({ maxLength: 3 }, 0)).toBe('123')
    expect(other({ type: 'password' }, 0)).toBeUndefined()
    expect(otherValue(field({ type: 'checkbox' }), 0, 'vigil-1')).toBeNull()
  })
})

describe('a changed value', () => {
  it('is alike and different, within the limits of its field', () => {
    expect(changedValue(field({ value: 'Apollo' }))?.text).toBe('Apollo-2')
    expect(changedValue(field({ value: 'Apollo', maxLength: 6 }))?.text).toBe('Apol-2')
    expect(changedValue(field({ type: 'number', value: '100', step: '25', max: '100' }))?.text).toBe('75')
  })

  it('is not given to what people sign in with', () => {
    expect(changedValue(field({ name: 'username', value: 'ada' }))).toBeNull()
    expect(changedValue(field({ label: 'e-mail', value: 'ada@example.com' }))).toBeNull()
  })
})

describe('a list of languages', () => {
  it('is known by names of languages, with a region or without', () => {
    const languages = ['Afrikaans (South Africa)', 'Deutsch', '中文(简体)', 'Português - Brasil', 'Welsh']
    expect(languages.filter(namesLanguage)).toEqual(languages)
    expect(['Save', 'Menu', 'Language', 'German shepherd', ''].filter(namesLanguage)).toEqual([])
  })

  it('has at least three of them, and is chosen English from', () => {
    const named = (...names: string[]) => names.map((name) => ({ name }))
    expect(languagesAmong(named('Polish', 'Save', 'French'))).toEqual([])
    const entries = named('Afrikaans', 'English (United Kingdom)', 'French', 'Cancel')
    expect(languagesAmong(entries)).toEqual(entries.slice(0, 3))
    expect([isOfLanguages(entries), englishAmong(entries)]).toEqual([true, entries[1]])
    expect(isOfLanguages(named('Polish', 'Save', 'Cancel'))).toBe(false)
    expect(isOfLanguages([])).toBe(false)
  })
})
