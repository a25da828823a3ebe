import { describe, expect, it } from 'vitest'
import { LightRoutes } from './light-routes.ts'

const page = (route: string) => `http://shop.test/app#/${route}`

describe('the lightest route of a document', () => {
  it('is the one with the fewest elements and calls, but not the page itself', () => {
    const routes = new LightRoutes()
    expect(routes.lightest(page('basket'), 'basket')).toBeNull()
    routes.note(page('basket'), 'basket', { elements: 90, calls: 1 })
    expect(routes.lightest(page('basket'), 'basket')).toBeNull()
    routes.note(page('board'), 'board', { elements: 3_000, calls: 0 })
    expect(routes.lightest(page('basket'), 'basket')).toBe(page('board'))
    routes.note(page('about'), 'about', { elements: 200, calls: 0 })
    expect(routes.lightest(page('basket'), 'basket')).toBe(page('about'))
    expect(routes.lightest(page('about'), 'about')).toBe(page('basket'))
  })

  it('belongs to its document, and does no harm', () => {
    const routes = new LightRoutes()
    routes.note('http://shop.test/other#/a', 'a', { elements: 10, calls: 0 })
    routes.note(page('logout'), 'logout', { elements: 1, calls: 0 })
    expect(routes.lightest(page('basket'), 'basket')).toBeNull()
  })
})
