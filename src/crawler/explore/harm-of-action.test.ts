import { describe, expect, it } from 'vitest'
import { around, button, chosenName, crawl, page } from '../../../test/crawler/choosing-fixture.ts'
import { chooseAction, type Surroundings, sampleOf } from './choose-action.ts'
import type { PageAction } from './page/survey-types.ts'

describe('the next action', () => {
  it('destroys what was used, but for accounts', () => {
    const chosen = (name: string, isUsed: boolean, other = 'Other') =>
      chosenName(page([button(name, { index: 1 }), button(other)]), crawl(true), { ...around, isUsed })
    expect([chosen('Delete', false), chosen('Delete', true)]).toEqual(['Other', 'Delete'])
    expect(chosen('Delete', false, 'Close')).toBe('Close')
    expect(chosen('Delete account', true)).toBe('Other')
  })

  it('destroys what gives rights only where it is of the crawl, before the last pass and the last quarter', () => {
    const chosen = (change: Partial<PageAction>, from: Partial<Surroundings> = {}, headings: string[] = []) =>
      chosenName(page([button('Delete', change)], { headings }), crawl(true, 'admin'), {
        ...around,
        location: 'http://shop.test/#/roles',
        ...from,
      })
    expect(chosen({})).toBeNull()
    expect(chosen({}, { location: 'http://shop.test/#/notes' })).toBe('Delete')
    expect(chosen({ row: 'vigil-k3x9a01 A role' })).toBe('Delete')
    expect(chosen({}, { actedRow: 'vigil-k3x9a01' })).toBe('Delete')
    expect(chosen({}, {}, ['vigil-k3x9a01'])).toBe('Delete')
    expect(chosen({}, { pass: 2 })).toBe('Delete')
    const late = crawl(true, 'admin')
    Object.assign(late.budget, { share: 0.8 })
    expect(chosenName(page([button('Delete')]), late, { ...around, location: '/roles' })).toBe('Delete')
  })

  it('knows what gives rights by whole words of paths, and not by the part that holds all pages', () => {
    const chosen = (path: string, change: Partial<PageAction> = {}) =>
      chosenName(page([button('Delete', change)]), crawl(true, 'admin'), {
        ...around,
        location: `http://shop.test${path}`,
      })
    for (const path of [
      '/role_mappings',
      '/roleMappings',
      '/user_groups',
      '/teams',
      '/admin',
      '/admin/users',
    ])
      expect(chosen(path), path).toBeNull()
    for (const path of ['/admin/products', '/tenant/notes', '/regroup'])
      expect(chosen(path), path).toBe('Delete')
    expect(chosen('/notes', { guard: 'delete btn-group' })).toBe('Delete')
  })

  it('destroys nothing that gives rights in a dialog that opened for something else', () => {
    const survey = page([button('Delete role', { inDialog: true })], { dialogs: 1 })
    const opened = { ...around, location: 'http://shop.test/#/roles', before: new Set(['row']), dialogs: 0 }
    expect(chosenName(survey, crawl(true, 'admin'), opened)).toBeNull()
    expect(chosenName(survey, crawl(true, 'admin'), { ...opened, isAsked: true })).toBe('Delete role')
  })

  it('does not take the account of the crawl, or another entry of a list, for what it has made', () => {
    const location = 'http://shop.test/#/users'
    const chosen = (row: string, identity: string, headings: string[] = []) =>
      chosenName(page([button('Delete', { row })], { headings }), crawl(true, identity), {
        ...around,
        location,
      })
    expect(chosen('vigil-k3x9a01 A user', 'vigil-scan')).toBe('Delete')
    expect(chosen('vigil-scan Signed in', 'vigil-scan')).toBeNull()
    expect(chosen('Vigil Scan', 'vigil-scan@corp.example')).toBeNull()
    // Signed in by a role, the crawl does not know what its account is called.
    expect(chosen('vigil-scanner', 'ADMIN')).toBeNull()
    for (const row of ['Vera Vigil', 'vigil7', 'vigil.7@example.com'])
      expect(chosen(row, 'anonymous'), row).toBeNull()
    expect(chosen('admin', 'admin', ['Users', 'vigil-7', 'admin'])).toBeNull()
  })

  it('is what can be done with a row of the crawl, before that of others', () => {
    const menu = { structure: 'button<td<tr', toggles: true }
    const rows = [
      button('Actions', { ...menu, row: 'admin' }),
      button('Actions', { ...menu, index: 1, row: 'vigil-7' }),
    ]
    const context = crawl(true)
    const first = chooseAction(page(rows), around, context)!
    expect(first.action.row).toBe('vigil-7')
    context.states.markDone('here', first.key, sampleOf(first.action, 'click'))
    expect(chooseAction(page(rows), around, context)?.action.row).toBe('admin')
  })

  it('destroys one of the rows of a list, and the others when nothing else is left', () => {
    const rows = page(['Delete a', 'Delete b'].map((name) => button(name, { structure: 'button<td<tr' })))
    const context = crawl(true)
    const { action, gesture, key } = chooseAction(rows, around, context)!
    context.states.markDone('here', key, sampleOf(action, gesture))
    expect(chosenName(rows, context)).toBeNull()
    expect(chosenName(rows, context, { ...around, pass: 2 })).toBe('Delete b')
    // It asked whether it should, and nobody answered.
    const answer = chooseAction(page([button('Yes')]), around, context)!
    context.states.noteRevealed('here', key, [answer])
    expect(chosenName(rows, context)).toBe('Delete a')
  })
})
