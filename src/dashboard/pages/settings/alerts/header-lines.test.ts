import { expect, it } from 'vitest'
import { headersOf } from './header-lines.ts'

it('reads one header of each line', () => {
  expect(headersOf('x-team: shop\n\n Authorization:Bearer a:b \nodd')).toEqual({
    'x-team': 'shop',
    Authorization: 'Bearer a:b',
    odd: '',
  })
  expect(headersOf(' \n')).toEqual({})
})
