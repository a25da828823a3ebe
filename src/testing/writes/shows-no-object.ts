import type { Exchange } from '../../http/index.ts'
import { isScalar, readTree, scalarText } from '../attempts/json-tree.ts'
import { isNamedForOneOf } from './created-object.ts'

/** What an answer may say of a request that went well, beside the object that it is about. */
const WELCOME = /^(?:success|ok|true|2\d\d|404|410|not.?found)$/i
const OF_ENVELOPE = /^(?:status|success|ok|code)$/i
const WRAPPER = /^(?:data|result|item|record)$/i

/**
 * Whether a welcome answer has null in place of the object that was asked for, such as `{"status": "ok", "user": null}`
 * for `/users/7`. One that says more may be a refusal, and another field that is null one of the object.
 */
export function showsNoObject({ request, response }: Exchange): boolean {
  const tree = readTree(response.body)
  if (!(tree instanceof Map)) return tree === null
  const list =
    request.target
      .replace(/[?#].*$/s, '')
      .replace(/\/$/, '')
      .split('/')
      .at(-2) ?? ''
  const [object, ...more] = [...tree].filter(
    ([key, value]) => !OF_ENVELOPE.test(key) || !isScalar(value) || !WELCOME.test(scalarText(value)),
  )
  return (
    object?.[1] === null && more.length === 0 && (WRAPPER.test(object[0]) || isNamedForOneOf(object[0], list))
  )
}
