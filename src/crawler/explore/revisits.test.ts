import { describe, expect, it } from 'vitest'
import { Revisits } from './revisits.ts'

const left = { url: 'http://shop.test/basket', writes: 0, isBlocked: false, look: 'one' }

describe('revisits', () => {
  it('are due where pages read what was written', () => {
    const revisits = new Revisits()
    revisits.noteRead('basket', '/rest/basket/{int}')
    revisits.noteRead('cards', '/api/Cards')
    revisits.left('basket', left)
    revisits.left('cards', { ...left, url: 'http://shop.test/cards' })
    expect(revisits.due(0)).toEqual([])
    revisits.noteWrite('/api/BasketItems')
    expect(revisits.due(0).map(({ key }) => key)).toEqual(['explore basket again 1'])
    expect(revisits.due(0)).toEqual([])
    revisits.noteWrite('/api/cards/{int}')
    expect(revisits.due(0).map(({ location }) => location)).toEqual(['cards'])
  })

  it('are due where something waited, whenever a new kind of write was accepted', () => {
    const revisits = new Revisits()
    revisits.left('checkout', { ...left, isBlocked: true })
    revisits.left('home', left)
    expect(revisits.due(1).map(({ location }) => location)).toEqual(['checkout'])
    expect(revisits.due(1)).toEqual([])
  })

  it('are over at once where a page looks as it was left, unless something waits there', () => {
    const revisits = new Revisits()
    expect(revisits.isAsLeft('home', 'one')).toBe(false)
    revisits.left('home', left)
    expect(revisits.isAsLeft('home', 'one')).toBe(true)
    expect(revisits.isAsLeft('home', 'two')).toBe(false)
    revisits.left('home', { ...left, isBlocked: true })
    expect(revisits.isAsLeft('home', 'one')).toBe(false)
  })

  it('come to an end', () => {
    const revisits = new Revisits()
    let count = 0
    for (let write = 1; write <= 20; write++) {
      revisits.left('checkout', { ...left, isBlocked: true, writes: write - 1 })
      count += revisits.due(write).length
    }
    expect(count).toBe(3)
  })
})
