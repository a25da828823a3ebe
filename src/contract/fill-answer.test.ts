import { expect, test } from 'vitest'
import { checkAnswer } from '../../test/check-answer.ts'
import { fillAnswer } from './fill-answer.ts'
import { readRequest } from './read-request.ts'

test('fields a handler leaves out get their fillers', () => {
  const body = fillAnswer('getAllCollections', { apiCollections: [] }, readRequest('getAllCollections', {}))
  expect(body).toEqual({
    apiCollections: [],
    sensitiveUrlsInResponse: 0,
    shadowApisCount: 0,
    apiCount: 0,
    sensitiveUnauthenticatedEndpointsCount: 0,
    criticalEndpointsCount: 0,
    apiCollectionId: 0,
    mcpDataCount: 0,
    highRiskThirdPartyEndpointsCount: 0,
    redacted: false,
    hasUsageEndpoints: false,
    riskScoreOfCollectionsMap: {},
    sensitiveSubtypesInCollection: {},
    usersCollectionList: null,
    response: { apiCount: 0 },
    lastTrafficSeenMap: null,
    uningestedApiCountMap: null,
    endpointsFromConditions: null,
    endpointsListFromConditions: null,
    apiStatsStart: null,
    apiStatsEnd: null,
    deactivatedHostnameCountMap: null,
    countForHostnameDeactivatedCollections: null,
    testedEndpointsMaps: null,
    severityInfo: null,
    apiList: null,
    countForUningestedApis: null,
    timerInfo: null,
    allUsersCollections: null,
    conditions: null,
    uningestedApiList: null,
  })
})

test('fields of the request come back where the record echoes them', () => {
  const request = readRequest('fetchIpLevelApiCallStats', {
    method: 'GET',
    url: '/a',
    apiCollectionId: '7',
    startWindow: 29497000,
    endWindow: 29498000,
  })
  const body = fillAnswer('fetchIpLevelApiCallStats', { bucketStats: [] }, request)
  expect(body).toMatchObject({ apiCollectionId: 7, startWindow: 29497000, endWindow: 29498000, result: null })
})

test('what a handler gives wins over echo and filler, a field of the operation over that of the record', () => {
  const request = readRequest('fetchApiCallStats', {
    method: 'GET',
    url: '/a',
    apiCollectionId: 7,
    startEpoch: 0,
    endEpoch: 60,
  })
  const body = fillAnswer('fetchApiCallStats', { result: { apiCallStats: [] }, apiCollectionId: 8 }, request)
  expect(body.apiCollectionId).toBe(8)
  expect(body.result).toEqual({ apiCallStats: [] })
  expect(checkAnswer('fetchApiCallStats', body)).toBeNull()
})

test('root values pass as they are and empty answers stay empty', () => {
  expect(fillAnswer('getAllUsersCollections', { '1': '*' }, {})).toEqual({ '1': '*' })
  expect(fillAnswer('logout', undefined, {})).toBeUndefined()
})

test('a wrong answer is reported with its place', () => {
  expect(checkAnswer('getRiskScoreInfo', {})).toMatch(
    /^getRiskScoreInfo: body must have required properties \w/,
  )
  expect(checkAnswer('getAllUsersCollections', { '1': 7 })).toBe('getAllUsersCollections: 1 must be string')
  expect(checkAnswer('logout', { done: true })).toBe('logout: content where none belongs')
})
