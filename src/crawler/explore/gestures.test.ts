import { describe, expect, it } from 'vitest'
import { around, button, chosenName, crawl, page } from '../../../test/crawler/choosing-fixture.ts'
import { ChangeFilter } from '../safety/change-filter.ts'
import { chooseAction, revealedBy } from './choose-action.ts'
import { gesturesOf } from './gestures.ts'

describe('gestures', () => {
  it('drag nothing where nothing may change: a script may keep the new order by a GET', () => {
    const row = button('Row', { tag: 'li', events: ['dragstart'], answersClick: false })
    const context = crawl()
    expect(chooseAction(page([row]), around, context)?.gesture).toBe('drag')
    expect(revealedBy(page([row]), page([]), context)).toHaveLength(1)
    Object.assign(context.ports, { changes: new ChangeFilter() })
    expect(chosenName(page([row]), context)).toBeNull()
    expect(revealedBy(page([row]), page([]), context)).toEqual([])
    expect(chosenName(page([{ ...row, events: ['click', 'dragstart'] }]), context)).toBe('Row')
  })

  it('are those that an element listens for', () => {
    expect(gesturesOf(button('x', { events: ['dblclick', 'mouseenter'] }))).toEqual(['dblclick', 'hover'])
    const bare = { answersClick: false }
    expect(gesturesOf(button('x', { ...bare, events: ['mousedown', 'keydown'] }))).toEqual([
      'click',
      'enter',
      'longpress',
    ])
    expect(gesturesOf(button('x', { ...bare, events: ['focus', 'contextmenu'] }))).toEqual([
      'contextmenu',
      'focus',
    ])
  })

  it('are only a click where an element answers clicks and listens to the rest for its looks', () => {
    expect(gesturesOf(button('x', { events: ['click', 'mousedown', 'keydown', 'focus'] }))).toEqual(['click'])
  })
  it('are not clicked where an element only shows a hint, by mouse or finger', () => {
    const hint = { answersClick: false, tag: 'span', events: ['mouseover', 'mouseleave', 'touchstart'] }
    expect(gesturesOf(button('?', hint))).not.toContain('click')
    const finger = { ...hint, events: [...hint.events, 'touchend', 'touchcancel'] }
    expect(gesturesOf(button('?', finger))).toEqual(['hover'])
    expect(gesturesOf(button('?', { ...hint, events: ['touchstart', 'touchend'] }))).toContain('click')
  })
})
