import { describe, expect, it } from 'vitest'
import { button, page } from '../../../test/crawler/choosing-fixture.ts'
import { Faces } from './faces.ts'
import type { PageSurvey } from './page/survey-types.ts'

function survey(heading: string, names: readonly string[]): PageSurvey {
  const actions = names.map((name, index) =>
    button(name, { index, structure: 'button<main', xpath: `/html/body/main/button[${index + 1}]` }),
  )
  return page(actions, { headings: [heading], title: 'Shop', elements: 60 })
}

describe('twins of pages', () => {
  const names = Array.from({ length: 20 }, (_, n) => `Product ${'abcdefghijklmnopqrst'[n]}`)

  it('have the same headings and nearly the same elements', () => {
    const faces = new Faces()
    expect(faces.isTwin(survey('All products', names))).toBe(false)
    expect(faces.isTwin(survey('All products', [...names.slice(1), 'Only one left']))).toBe(true)
    expect(faces.isTwin(survey('Orders', names))).toBe(false)
    expect(
      faces.isTwin(
        survey(
          'All products',
          names.map((name) => `${name}!`),
        ),
      ),
    ).toBe(false)
  })

  it('are not told where a page is small', () => {
    const faces = new Faces()
    const small = { ...survey('Form', ['Submit']), elements: 12 }
    expect([faces.isTwin(small), faces.isTwin(small)]).toEqual([false, false])
  })
})

describe('pages of one kind', () => {
  const at = (path: string, structure: string): PageSurvey => {
    const page = survey('Table', ['Save'])
    const actions = page.actions.map((action) => ({ ...action, structure, name: path }))
    return { ...page, url: `http://shop.test${path}`, actions }
  }

  it('have names in their addresses and offer the same, whatever it is called', () => {
    const faces = new Faces()
    const kinds = ['/admin/tables/orders', '/admin/tables/people', '/admin/tables/cities'].map((path) =>
      faces.countAlike(at(path, 'button<table')),
    )
    expect(kinds).toEqual([0, 1, 2])
    expect(faces.countAlike(at('/admin/tables/settings', 'button<settings'))).toBe(0)
    const below = ['orders', 'people'].map((name) =>
      faces.countAlike(at(`/admin/tables/${name}/new`, 'button<wizard')),
    )
    expect(below).toEqual([0, 1])
  })

  it('are not the parts of an application', () => {
    const faces = new Faces()
    const parts = ['/admin/orders', '/admin/people', '/admin/cities'].map((path) =>
      faces.countAlike(at(path, 'button<list')),
    )
    expect(parts).toEqual([0, 0, 0])
  })
})
