import { describe, expect, it } from 'vitest'
import { around, button, chosenName, crawl, page } from '../../../test/crawler/choosing-fixture.ts'
import { chooseAction, revealedBy, sampleOf, spotOf } from './choose-action.ts'
import { actionLook } from './fingerprint.ts'
import type { PageField } from './page/survey-types.ts'

describe('the next action', () => {
  it('is sending a filled form, before anything in the navigation', () => {
    const actions = [
      button('Menu', { inNavigation: true }),
      button('Other'),
      button('Save', { isSubmit: true, form: 2, tag: 'button:submit' }),
    ]
    expect(chosenName(page(actions), crawl(), { ...around, filledForms: new Set([2]) })).toBe('Save')
  })

  it('is what can be done with the rows of a list, before a search that may hide them', () => {
    const find = button('Search', { isSubmit: true, form: 2, tag: 'button:submit' })
    const actions = [find, button('Plain'), button('Edit', { index: 1 })]
    const field = { form: 2, type: 'text', label: 'search by name', name: 'word' } as PageField
    const filled = { ...around, filledForms: new Set([2]) }
    expect(chosenName(page(actions, { fields: [field] }), crawl(), filled)).toBe('Edit')
    expect(chosenName(page(actions.slice(0, 2), { fields: [field] }), crawl(), filled)).toBe('Search')
    const other = { ...field, label: 'full name' }
    expect(chosenName(page(actions, { fields: [field, other] }), crawl(), filled)).toBe('Search')
  })

  it('is keeping what was filled in, by a button in the header of the page', () => {
    const filled = { ...around, filledForms: new Set([1]) }
    const beside = button('Name', { form: 1 })
    expect(chosenName(page([beside, button('Save')]), crawl(), filled)).toBe('Save')
    expect(chosenName(page([beside, button('check')]), crawl(), filled)).toBe('check')
    expect(chosenName(page([beside, button('Save', { inNavigation: true })]), crawl(), filled)).toBe('Name')
  })

  it('is opening an entry of a list that is clicked as a whole, before what only happens to listen', () => {
    const actions = [
      button('Fold', { tag: 'div', structure: 'div.mark' }),
      button('Invoice 7', { tag: 'tr', structure: 'tr.row' }),
    ]
    expect(chosenName(page(actions), crawl())).toBe('Invoice 7')
  })

  it('is what was brought to light, not the hint that came along, nor the box that was checked', () => {
    const box = button('', { tag: 'span', role: 'checkbox', xpath: '/html/body/span' })
    const actions = [
      { ...box, classes: 'checked' },
      button('Hint', { tag: 'div', index: 1 }),
      button('Archive', { index: 2 }),
    ]
    const from = { ...around, pass: 0, before: new Set([actionLook(box)]), acted: spotOf(box) } as const
    const context = crawl()
    expect(chosenName(page(actions), context, from)).toBe('Archive')
    const { action, gesture, key } = chooseAction(page(actions), from, context)!
    context.states.markDone('here', key, sampleOf(action, gesture))
    expect(chosenName(page(actions.slice(1)), context, from)).toBeNull()
    expect(chosenName(page([actions[1]!]), context, from)).toBe('Hint')
  })

  it('is of a kind that showed something before, whatever the others are called', () => {
    const context = crawl()
    const names = ['First', 'Second', 'Third', 'Fourth', 'Fifth'].map((name) =>
      button(name, { structure: 'button.name<div.field' }),
    )
    const other = button('Plain', { index: 1 })
    expect(chosenName(page([...names, other]), context)).toBe('First')
    for (const survey of names.slice(0, 4).map((each) => page([each]))) {
      const { kind, signature } = chooseAction(survey, around, context)!
      for (const each of [kind, signature]) context.signatures.note(each, false)
    }
    expect(chosenName(page([...names, other]), context)).toBe('Plain')
    expect(chosenName(page(names), context)).toBe('Fifth')
  })

  it('is something else after a kind that showed something each time and led to no operation', () => {
    const context = crawl()
    const branches = Array.from('abcdefghi', (name) => button(name, { structure: 'button<li.branch' }))
    const other = button('Plain', { index: 1 })
    const survey = page([...branches.slice(8), other])
    const seen = { isNews: true, isOperation: false }
    const first = { ...around, pass: 0 } as const
    expect(chosenName(page(branches.slice(8)), context, first)).toBe('i')
    for (const branch of branches.slice(0, 8))
      context.signatures.noteRun(chooseAction(page([branch]), around, context)!, seen)
    expect(chosenName(survey, context)).toBe('Plain')
    expect(chosenName(page(branches.slice(8)), context, first)).toBeNull()
    const named = { ...branches[8]!, name: 'Edit' }
    expect(chosenName(page([named]), context, first)).toBe('Edit')
    context.signatures.noteFound(chooseAction(page(branches.slice(0, 1)), around, context)!)
    expect(chosenName(survey, context)).toBe('i')
  })

  it('is what was there, before what came to light and led nowhere elsewhere', () => {
    const context = crawl()
    const entry = button('Model', { structure: 'li<menu' })
    const opened = { ...around, before: new Set(['page']) }
    const actions = [button('New order', { index: 1 }), entry]
    const from = { ...opened, before: new Set([actionLook(actions[0]!)]) }
    expect(chosenName(page(actions), context, from)).toBe('Model')
    context.signatures.note(chooseAction(page([entry]), opened, context)!.signature, false)
    expect(chosenName(page(actions), context, from)).toBe('New order')
  })

  it('is no other language of a list of them, until nothing else is left', () => {
    const names = ['Afrikaans (South Africa)', 'Deutsch', 'English (United States)', 'Save']
    const entries = names.map((name, index) => button(name, { index, structure: `button<${index}` }))
    const opened = { ...around, before: new Set(['page']) }
    expect(chosenName(page(entries), crawl(), opened)).toBe('Save')
    expect(chosenName(page(entries.slice(0, 3)), crawl(), opened)).toBeNull()
    expect(chosenName(page(entries.slice(0, 3)), crawl(), { ...opened, pass: 2 })).not.toBeNull()
    expect(chosenName(page(entries.slice(1, 2)), crawl(), opened)).toBe('Deutsch')
  })

  it('confirms what was asked to be deleted, and does not take the selection back', () => {
    const opened = { ...around, before: new Set(['page']) }
    const inDialog = { inDialog: true, structure: 'button<dialog' }
    const buttons = [button('Cancel', inDialog), button('Delete', { ...inDialog, index: 1 })]
    const context = crawl(true)
    // Where the same was confirmed before, it is still worth more than taking it back.
    context.signatures.note(chooseAction(page(buttons.slice(1)), opened, context)!.signature, true)
    expect(chosenName(page(buttons, { dialogs: 1 }), context, opened)).toBe('Delete')
    const box = button('', { role: 'checkbox', structure: 'button.box<td.cell<tr.row' })
    const checked = { ...opened, acted: spotOf(box) }
    expect(chosenName(page([box, button('Delete', { index: 1 })]), crawl(true), checked)).toBe('Delete')
  })

  it('is a box that selects a row, though boxes elsewhere led nowhere', () => {
    const context = crawl()
    const box = button('', { role: 'checkbox', classes: 'box', structure: 'button.box<div.field<form.' })
    for (let time = 0; time < 3; time++)
      context.signatures.note(chooseAction(page([box]), around, context)!.signature, false)
    expect(chosenName(page([box]), context)).toBeNull()
    const select = { ...box, index: 1, structure: 'button.box<td.cell<tr.row' }
    const chosen = chooseAction(page([button('Other'), box, select]), around, context)
    expect(chosen?.action).toBe(select)
  })

  it('is in the dialog that is open', () => {
    expect(chosenName(page([button('A'), button('B', { inDialog: true })], { dialogs: 1 }), crawl())).toBe(
      'B',
    )
  })

  it('is never one that is disabled, a plain link, or does harm', () => {
    const context = crawl()
    const actions = [
      button('Off', { isDisabled: true }),
      button('Next page', { tag: 'a', href: 'http://shop.test/next' }),
      button('Elsewhere', { tag: 'a', href: 'http://other.test/' }),
      button('Delete item'),
      button('', { guard: 'icon fa-sign-out' }),
    ]
    expect(chosenName(page(actions), context)).toBeNull()
    expect(context.avoided).toHaveLength(2)
    expect(chosenName(page([button('Delete item'), button('Show')]), crawl(true))).toBe('Show')
    expect(chosenName(page([button('Delete item')]), crawl(true))).toBe('Delete item')
  })

  it('is done once at a location, three times for a repeated structure, and again where it changed the page', () => {
    const context = crawl()
    const names: string[] = []
    const survey = page(
      Array.from({ length: 8 }, (_, n) => button(`Add ${'abcdefgh'[n]}`, { structure: 'button<li' })),
    )
    for (;;) {
      const chosen = chooseAction(survey, around, context)
      if (!chosen) break
      names.push(chosen.action.name)
      context.states.markDone('here', chosen.key, sampleOf(chosen.action, chosen.gesture))
    }
    expect(names).toHaveLength(3)
    const first = chooseAction(survey, around, crawl())
    const again = chooseAction(page([survey.actions[0]!]), { ...around, again: first?.key ?? null }, context)
    expect(again?.action.name).toBe('Add a')
  })

  it('takes every button of a bar, since each has its own name', () => {
    const context = crawl()
    const names = ['Share', 'Copy', 'Rotate', 'Export', 'Print', 'Preview']
    const survey = page(names.map((name) => button(name, { structure: 'button<div.bar' })))
    const taken: string[] = []
    for (;;) {
      const chosen = chooseAction(survey, around, context)
      if (!chosen) break
      taken.push(chosen.action.name)
      context.states.markDone('here', chosen.key, sampleOf(chosen.action, chosen.gesture))
    }
    expect(taken.sort()).toEqual(names.sort())
  })

  it('is in the first pass what is made to be used, and one of each other kind; frames of fields come last', () => {
    const context = crawl()
    const survey = page([
      button('Line', { tag: 'span', structure: 'span<div' }),
      button('Row', { tag: 'span', structure: 'span<div' }),
      button('Name', { structure: 'button<th.wide<tr' }),
      button('Title', { tag: 'div', structure: 'div<form', holdsField: true }),
      button('Rename', { structure: 'button<header' }),
    ])
    const taken = (pass: 0 | 1 | 2): string[] => {
      const names: string[] = []
      for (;;) {
        const chosen = chooseAction(survey, { ...around, pass }, context)
        if (!chosen) return names
        names.push(chosen.action.name)
        context.states.markDone('here', chosen.key, sampleOf(chosen.action, chosen.gesture))
      }
    }
    expect([taken(0), taken(1), taken(2)]).toEqual([['Rename', 'Line'], ['Name', 'Row'], ['Title']])
  })

  it('is not one whose kind led nowhere three times', () => {
    const context = crawl()
    const survey = page([button('Blink')])
    const chosen = chooseAction(survey, around, context)
    for (let run = 0; run < 3; run++) context.signatures.note(chosen?.signature ?? '', false)
    expect(chosenName(survey, context)).toBeNull()
  })
})

describe('an action', () => {
  it('is an entry of the navigation without a link, since nothing else leads to its part', () => {
    const entry = button('Labels', { tag: 'div', role: 'option', inNavigation: true, index: 1 })
    const actions = [button('Plain'), entry]
    const context = crawl()
    expect(chosenName(page(actions), context, { ...around, pass: 0 })).toBe('Labels')
    context.signatures.note(chooseAction(page([entry]), around, context)!.signature, true)
    expect(chosenName(page(actions), context, { ...around, pass: 0 })).toBe('Plain')
    const opened = { ...around, pass: 0, before: new Set(['box']) } as const
    expect(chosenName(page([entry]), crawl(), opened)).toBeNull()
    const choice = { ...entry, inNavigation: false }
    expect(chosenName(page([choice]), crawl(), { ...around, pass: 0 })).toBeNull()
  })

  it('that a form woke up is taken, even where its like led nowhere before', () => {
    const context = crawl()
    const survey = page([button('Other'), button('Send')])
    const send = chooseAction(page([button('Send')]), around, context)
    for (let run = 0; run < 3; run++) context.signatures.note(send?.signature ?? '', false)
    const woken = new Set([actionLook(survey.actions[1]!)])
    expect(chosenName(survey, context, { ...around, woken })).toBe('Send')
  })

  it('that was refused is taken again after something else was written', () => {
    const context = crawl()
    const survey = page([button('Sign in')])
    const chosen = chooseAction(survey, around, context)!
    context.states.markDone('here', chosen.key, 'x')
    context.states.markRefused('here', chosen.key, 0)
    expect(chosenName(survey, context)).toBeNull()
    context.knowledge.writes = 1
    expect(chosenName(survey, context)).toBe('Sign in')
    // Let in at last, it is done however much is written after that.
    context.states.markAccepted('here', chosen.key)
    context.knowledge.writes = 2
    expect(chosenName(survey, context)).toBeNull()
  })

  it('is the same one in a form whose fields get other ids each time', () => {
    const context = crawl()
    const form = (id: string, label: string) =>
      page([button('Save', { form: 0 })], {
        fields: [{ form: 0, name: '', id, label, type: 'text' } as unknown as PageField],
      })
    const { key } = chooseAction(form('field_kQzXw', 'nickname'), around, context)!
    expect(chooseAction(form('field_TbRrs', 'nickname'), around, context)!.key).toBe(key)
    expect(chooseAction(form('field_TbRrs', 'street'), around, context)!.key).not.toBe(key)
  })

  it('that opens a menu is taken again until its entries are done, and not when that does not help', () => {
    const context = crawl()
    const opener = chooseAction(page([button('Menu')]), around, context)!
    const inner = ['First', 'Second'].map((name) => chooseAction(page([button(name)]), around, context)!)
    context.states.markDone('here', opener.key, 'x')
    context.states.noteRevealed('here', opener.key, inner)
    context.states.markDone('here', inner[0]!.key, 'y')
    expect(chosenName(page([button('Menu')]), context)).toBe('Menu')
    context.states.noteRevealed('here', opener.key, inner)
    expect(chosenName(page([button('Menu')]), context)).toBe('Menu')
    context.states.noteRevealed('here', opener.key, inner)
    expect(chosenName(page([button('Menu')]), context)).toBeNull()
  })

  it('that brought something to light is not taken again while that is on the page, as a message is', () => {
    const context = crawl()
    const opener = chooseAction(page([button('Add')]), around, context)!
    const inner = chooseAction(page([button('Close')]), around, context)!
    context.states.markDone('here', opener.key, 'x')
    context.states.noteRevealed('here', opener.key, [inner])
    expect(chosenName(page([button('Add')]), context)).toBe('Add')
    expect(chosenName(page([button('Add'), button('Close')]), context)).toBe('Close')
  })

  it('is not opened for what is only filled in, frames a field, or closes it', () => {
    const boxes = [
      { tag: 'div', role: 'combobox', xpath: '/html/body/div' },
      { tag: 'div', holdsField: true },
    ].map((change) => button('Columns', change))
    const field = { xpath: '/html/body/div', form: 0 } as PageField
    const after = page([...boxes, button('Cancel'), button('Apply')], { fields: [field] })
    const names = revealedBy(after, page([]), crawl()).map(({ action }) => action.name)
    expect(names).toEqual(['Apply'])
  })

  it('is not worth opening a menu again for when it would end the session', () => {
    const after = page([
      button('Profile'),
      button('Sign out'),
      button('Impersonate'),
      button('Log in as olga'),
    ])
    const names = revealedBy(after, page([]), crawl(true, 'admin')).map(({ action }) => action.name)
    expect(names).toEqual(['Profile'])
  })

  it('in the first pass opens the menu that an entry has for the right button, and not that of each entry or of buttons', () => {
    const events = ['contextmenu']
    const row = button('First', { tag: 'div', events, structure: 'div.row<div.list' })
    const first = { ...around, pass: 0 } as const
    const context = crawl()
    const chosen = chooseAction(page([row]), first, context)
    expect(chosen?.gesture).toBe('contextmenu')
    context.states.markDone('here', chosen!.key, sampleOf(chosen!.action, 'contextmenu'))
    expect(chosenName(page([{ ...row, name: 'Second' }]), context, first)).toBeNull()
    expect(chosenName(page([button('Waves', { events })]), crawl(), first)).toBeNull()
  })

  it('in the first pass turns no pages of a list', () => {
    const next = button('Next', { structure: 'button.btn<nav.pagination<main' })
    expect(chosenName(page([next]), crawl(), { ...around, pass: 0 })).toBeNull()
    expect(chosenName(page([next]), crawl(), { ...around, pass: 1 })).toBe('Next')
    for (const holders of ['td.<tr.<table.paginated', 'li.<ul.paginated', 'td.<tr.<tbody.<div.pagination']) {
      const edit = button('Edit', { structure: `button.btn<${holders}` })
      expect(chosenName(page([edit]), crawl(), { ...around, pass: 0 }), holders).toBe('Edit')
    }
    for (const holders of [
      'li.page-item<ul.MuiPagination-ul',
      'span.<div.dataTables_paginate',
      'div.pager',
    ]) {
      const turn = button('Next', { structure: `a.link<${holders}` })
      expect(chosenName(page([turn]), crawl(), { ...around, pass: 0 }), holders).toBeNull()
    }
  })

  it('in the first pass neither turns the leaves of a calendar nor shows what is hidden in a field', () => {
    const first = { ...around, pass: 0 } as const
    const plain = (name: string, structure = 'button<div') =>
      chosenName(page([button(name, { structure })]), crawl(), first)
    expect(plain('Next month', 'button.next<div.controls<mat-calendar-header.calendar-header')).toBeNull()
    expect(plain('May 4', 'button.cell<td.cell<tr.<tbody.calendar-body')).toBeNull()
    expect(plain('Edit', 'button.edit<div.calendar-list-entry<div.<div.<main.calendar')).toBe('Edit')
    for (const name of ['visibility_off', 'Show password', 'Hide PIN', 'Reveal secret', '🗙', '×'])
      expect(plain(name), name).toBeNull()
    for (const name of ['Show members', 'Visibility rules', 'Show value list', 'eye', 'visibility'])
      expect(plain(name), name).toBe(name)
    const password = { type: 'password', form: 2, label: '', name: '', id: '', xpath: '' } as PageField
    const beside = page([button('visibility', { form: 2 })], { fields: [password] })
    expect(chosenName(beside, crawl(), first)).toBeNull()
  })

  it('in the first pass puts no message away', () => {
    const first = { ...around, pass: 0 } as const
    expect(chosenName(page([button('Close alert: Client updated')]), crawl(), first)).toBeNull()
    expect(chosenName(page([button('Hide details')]), crawl(), first)).toBe('Hide details')
  })

  it('in the first pass has neither a label nor a link to another place of the page', () => {
    const link = button('Skip to content', { tag: 'a', href: '#main', handlers: 5381 })
    const label = button('Owner', { tag: 'label', form: 1 })
    const first = {
      ...around,
      pass: 0 as const,
      filledForms: new Set([1]),
      woken: new Set([actionLook(label)]),
    }
    expect(chosenName(page([link, label]), crawl(), first)).toBeNull()
  })

  it('of the frame of all pages is taken once, then waits for the second pass, and is given up after one vain run', () => {
    const context = crawl()
    const basket = button('Basket')
    for (const place of ['a', 'b', 'c', 'd']) context.looks.note(basket, place)
    const survey = page([basket, button('Read more')])
    expect(chosenName(survey, context, { ...around, pass: 0 })).toBe('Read more')
    expect(chosenName(page([basket]), context, { ...around, pass: 0 })).toBe('Basket')
    const chosen = chooseAction(page([basket]), around, context)!
    context.signatures.note(chosen.signature, true)
    expect(chosenName(page([basket]), context, { ...around, pass: 0 })).toBeNull()
    expect(chosenName(page([basket]), context)).toBe('Basket')
    context.signatures.note(chosen.signature, false)
    expect(chosenName(page([basket]), context)).toBeNull()
  })

  it('of the frame that opens a menu is not taken again for entries that led nowhere on another page', () => {
    const context = crawl()
    const menu = button('Menu')
    const inner = ['First', 'Second'].map((name) => chooseAction(page([button(name)]), around, context)!)
    const opener = chooseAction(page([menu]), around, context)!
    for (const place of ['a', 'b', 'c', 'd']) context.looks.note(menu, place)
    context.states.markDone('here', opener.key, 'x')
    context.states.noteRevealed('here', opener.key, inner)
    expect(chosenName(page([menu]), context)).toBe('Menu')
    for (const { signature } of inner) context.signatures.note(signature, false)
    expect(chosenName(page([menu]), context)).toBeNull()
  })

  it('of the navigation that opens a menu is not taken again for entries that were used on another page', () => {
    const context = crawl()
    const menu = button('Account', { inNavigation: true })
    const inner = ['Profile', 'Caches'].map((name) => chooseAction(page([button(name)]), around, context)!)
    const opener = chooseAction(page([menu]), around, context)!
    context.states.markDone('here', opener.key, 'x')
    context.states.noteRevealed('here', opener.key, inner)
    context.signatures.note(inner[0]!.signature, true)
    expect(chosenName(page([menu]), context)).toBe('Account')
    context.signatures.note(inner[1]!.signature, true)
    expect(chosenName(page([menu]), context)).toBeNull()
  })

  it('opens no box again that only tells how many rows a page of a list has', () => {
    const context = crawl()
    const box = button('1 - 10', { structure: 'button.toggle<div.pagination__page-menu<div.pagination' })
    const opener = chooseAction(page([box]), around, context)!
    const inner = chooseAction(page([button('20 per page')]), around, context)!
    context.states.markDone('here', opener.key, 'x')
    context.states.noteRevealed('here', opener.key, [inner])
    expect(chosenName(page([box]), context)).toBeNull()
  })

  it('of records with names in their addresses is none of the frame, however many records were seen', () => {
    const context = crawl()
    const edit = button('Edit')
    const home = 'http://shop.test/items'
    for (const record of ['tea', 'milk', 'salt', 'rice']) context.looks.note(edit, `${home}/${record}`)
    expect(context.looks.isEverywhere(edit)).toBe(false)
    context.looks.note(edit, 'http://shop.test/#/start')
    expect(context.looks.isEverywhere(edit)).toBe(true)
  })

  it('destroys what is there when most of the time is over, and after everything else before', () => {
    const late = crawl(true)
    Object.assign(late.budget, { share: 0.8 })
    const survey = page([button('Delete'), button('Back', { inNavigation: true, tag: 'div', role: '' })])
    expect(chosenName(survey, crawl(true))).toBe('Back')
    expect(chosenName(survey, late)).toBe('Delete')
  })

  it('that makes an application serve nobody waits for the last pass, and what fills the clipboard for the second', () => {
    const survey = page([button('Maintenance mode'), button('Copy link')])
    expect(chosenName(survey, crawl(), { ...around, pass: 0 })).toBeNull()
    expect(chosenName(survey, crawl(), { ...around, pass: 1 })).toBe('Copy link')
    expect(chosenName(page([button('Maintenance mode')]), crawl(), { ...around, pass: 2 })).not.toBeNull()
  })

  it('that ends the session is never taken by somebody who is signed in, whatever the mode', () => {
    const survey = page([button('Log out')])
    expect(chosenName(survey, crawl(true, 'vera'))).toBeNull()
    expect(chosenName(survey, crawl(true))).toBe('Log out')
  })
})
