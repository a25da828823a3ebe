import { expect, it } from 'vitest'
import { isTruncated, matchesIn } from './matches.ts'

it('tells what matched where, once each', () => {
  const metadata = JSON.stringify({
    countryCode: 'US',
    schemaErrors: [
      {
        location: 'LOCATION_URL',
        phrase: 'union select',
        start: 3,
        message: 'Matched in query_param q (percent)',
      },
      {
        location: 'LOCATION_URL',
        phrase: 'union select',
        start: 9,
        message: 'Matched in query_param q (percent)',
      },
      { location: 'toString', attribute: 'cookie', phrase: '<script>' },
      { location: 'LOCATION_HEADER', attribute: 'cookie t', phrase: 'eyJ' },
      { location: 'LOCATION_BODY', phrase: '' },
      null,
    ],
  })
  expect(matchesIn(metadata)).toEqual([
    { place: 'the URL', phrase: 'union select', part: 'URL', header: null, view: 'percent' },
    { place: 'cookie', phrase: '<script>', part: null, header: null, view: '' },
    { place: 'the cookie t', phrase: 'eyJ', part: 'HEADER', header: 'cookie', view: '' },
  ])
  expect(matchesIn('country_code: "US"')).toEqual([])
  expect(matchesIn('7')).toEqual([])
})

it('tells a message of which parts were not looked at', () => {
  expect(isTruncated('{"truncated":true}')).toBe(true)
  expect([isTruncated('{}'), isTruncated('truncated: true')]).toEqual([false, false])
})
