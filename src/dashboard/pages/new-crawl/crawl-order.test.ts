import { expect, test } from 'vitest'
import { emptyDraft, lackOf, orderOf } from './crawl-order.ts'

const shop = { ...emptyDraft, hostname: ' https://shop.test/app ' }

test('a draft says what it lacks', () => {
  expect(lackOf(emptyDraft)).toMatch(/address/)
  expect(lackOf({ ...emptyDraft, hostname: 'shop.test' })).toMatch(/https:/)
  expect(lackOf({ ...shop, minutes: 9 })).toMatch(/minutes/)
  expect(lackOf({ ...shop, minutes: Number.NaN })).toMatch(/minutes/)
  expect(lackOf({ ...shop, login: 'form', username: 'ann' })).toMatch(/password/)
  expect(lackOf({ ...shop, login: 'key' })).toMatch(/key/)
  expect(lackOf({ ...shop, login: 'role' })).toMatch(/role/)
  expect(lackOf(shop)).toBeNull()
})

test('only the chosen way to sign in goes along', () => {
  const full = { ...shop, username: 'ann', password: ' p ', apiKey: 'k', roleId: 'r' }
  expect(orderOf({ ...full, login: 'form' })).toMatchObject({ username: 'ann', password: ' p ' })
  expect(JSON.stringify(orderOf({ ...full, login: 'form' }))).not.toMatch(/apiKey|testRoleHexId/)
  expect(orderOf({ ...full, login: 'key' })).toMatchObject({ apiKey: 'k' })
  expect(JSON.stringify(orderOf(full))).not.toMatch(/password|apiKey|testRoleHexId/)
})

test('lines become lists, blanks become nothing', () => {
  const order = orderOf({ ...shop, outscopeUrls: '/logout\n\n /admin/* \n', minutes: 10 })
  expect(order).toMatchObject({
    hostname: 'https://shop.test/app',
    crawlingTime: 600,
    outscopeUrls: '/logout,/admin/*',
    applicationPages: null,
    selectedModuleName: null,
  })
})
