import { adapter } from './adapter.ts'

/** Violations as a map. */
export const fetchApiInfosForCollection = adapter('fetchApiInfosForCollection', {
  answer: (body) => {
    if (!('apiInfoList' in body)) return body
    return {
      ...body,
      apiInfoList: body.apiInfoList.map((info) => ({ ...info, violations: info.violations ?? {} })),
    }
  },
})
