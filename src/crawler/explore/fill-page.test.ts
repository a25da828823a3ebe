import { describe, expect, it } from 'vitest'
import { button } from '../../../test/crawler/choosing-fixture.ts'
import { BoundedSet } from './bounded-set.ts'
import type { CrawlContext } from './crawl-context.ts'
import { editsOf, filters, optionAmong } from './fill-page.ts'
import type { PageAction, PageField, PageSurvey } from './page/survey-types.ts'

/** Positions of the fields whose values are changed for what a page with one disabled button offers. */
function changedBeside(
  button: Partial<PageAction>,
  fields: readonly Partial<PageField>[] = [{}],
  filters = new BoundedSet(100),
): number[] {
  const action = {
    name: 'Save',
    isDisabled: true,
    isSubmit: false,
    inNavigation: false,
    inDialog: false,
    form: -1,
  }
  const field = { type: 'text', tag: 'input', name: 'title', label: 'title', value: 'First', maxLength: -1 }
  const more = { id: '', autocomplete: '', pattern: '', min: '', max: '', step: '', hint: '', options: [] }
  const survey = {
    url: 'https://shop.test/articles/7',
    actions: [{ ...action, ...button }],
    fields: fields.map((each, index) => ({
      ...{
        ...field,
        ...more,
        index,
        form: -1,
        inNavigation: false,
        inDialog: false,
        xpath: `/input[${index}]`,
      },
      ...each,
    })),
  } as unknown as PageSurvey
  const context = { filters } as unknown as CrawlContext
  return editsOf(survey, new Set(), false, context).map(({ value }) => value.index)
}

describe('a value that exists is changed', () => {
  it.each(['Save', 'check', 'Update'])('for a disabled button outside of forms: %s', (name) => {
    expect(changedBeside({ name })).toEqual([0])
  })

  it.each(['Next', 'Add', 'Create', 'Send', 'Pay', 'Delete'])(
    'not for a button that saves nothing: %s',
    (name) => {
      expect(changedBeside({ name })).toEqual([])
      expect(changedBeside({ name, isSubmit: true })).toEqual([])
    },
  )

  it('not in a box that is searched by', () => {
    expect(changedBeside({}, [{ label: 'search' }, {}])).toEqual([1])
    expect(changedBeside({}, [{ type: 'search' }])).toEqual([])
  })

  it('not for a button in the navigation', () => {
    expect(changedBeside({ inNavigation: true })).toEqual([])
  })

  it('only beside the button: outside of forms, and in the same dialog', () => {
    expect(changedBeside({}, [{ form: 0 }, { inDialog: true }, {}])).toEqual([2])
    expect(changedBeside({ inDialog: true }, [{}, { inDialog: true }])).toEqual([1])
  })

  it('in a text about something before its name, and in the name where there is nothing else', () => {
    const named = { name: 'realm', label: 'realm name' }
    expect(
      changedBeside({}, [
        named,
        { name: 'policy', label: 'policy' },
        { name: 'description', label: 'description' },
      ]),
    ).toEqual([2])
    expect(changedBeside({}, [named, { name: 'policy', label: 'policy' }])).toEqual([1])
    expect(changedBeside({}, [named])).toEqual([0])
  })

  it('three times at most, since what was saved could be changed and saved for ever', () => {
    const filters = new BoundedSet(100)
    const times = Array.from({ length: 6 }, () => changedBeside({}, [{}], filters).length)
    expect(times).toEqual([1, 1, 1, 0, 0, 0])
  })

  it('in a form for whatever sends it', () => {
    expect(changedBeside({ name: 'Next', form: 0 }, [{}, { form: 0 }])).toEqual([1])
  })
})

describe('a box that is searched by', () => {
  const field = { type: 'text', label: 'search', form: 3, index: 0 } as PageField
  const beside = (...actions: readonly Partial<PageAction>[]): boolean =>
    filters(field, {
      actions: actions.map((action) => ({ form: 3, ...action })),
      fields: [field],
    } as unknown as PageSurvey)

  it('filters at once beside buttons that do something else, such as making an entry', () => {
    expect(beside({ name: 'Create' }, { name: 'Delete', isDisabled: true })).toBe(true)
  })

  it('is sent by a button that searches, or that sends its form', () => {
    expect(beside({ name: 'Search' })).toBe(false)
    expect(beside({ name: '', isSubmit: true })).toBe(false)
  })
})

describe('a field that only sounds like a search', () => {
  const field = { type: 'text', label: 'log query', form: 3, index: 0, isRequired: false } as PageField
  const isFilter = (change: Partial<PageField>, other: Partial<PageField>): boolean =>
    filters({ ...field, ...change }, {
      actions: [{ form: 3, name: 'Create', isSubmit: false, isDisabled: true }],
      fields: [
        { ...field, ...change },
        { ...field, index: 1, ...other },
      ],
    } as unknown as PageSurvey)

  it('keeps its value in a form with other texts, or that needs it', () => {
    expect(isFilter({}, { label: 'name' })).toBe(false)
    expect(isFilter({ isRequired: true }, { form: 4 })).toBe(false)
    expect(isFilter({}, { label: 'rows', type: 'select' })).toBe(true)
    expect(isFilter({}, { label: 'name', form: 4 })).toBe(true)
  })
})

describe('what is chosen from a box', () => {
  const offered = (...names: readonly string[]): readonly PageAction[] =>
    names.map((name) => button(name, { structure: 'div<menu' }))

  it('is the first option', () => {
    expect(optionAmong(offered('Red', 'Green'))?.name).toBe('Red')
  })

  it('never destroys anything or signs out', () => {
    expect(optionAmong(offered('Delete', 'Red', 'Green'))?.name).toBe('Red')
    expect(optionAmong(offered('Delete', 'Log out'))).toBeUndefined()
    expect(optionAmong([button('Delete', { role: 'option' })])).toBeUndefined()
  })
})
