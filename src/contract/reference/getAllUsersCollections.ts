import { adapter } from './adapter.ts'
import { mapValues } from './map-values.ts'

/** Lists of ids; null for people without restriction. */
export const getAllUsersCollections = adapter('getAllUsersCollections', {
  answer: (body) => mapValues(body, (text) => (text === '*' ? null : (JSON.parse(text) as number[]))),
})
