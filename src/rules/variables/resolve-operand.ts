import type { MessageView } from '../messages/message-view.ts'
import { resolveAll } from './resolve-text.ts'
import { isRecords, type Scalar, scalarOf, type Variables } from './variables.ts'

/** Most values that one operand may stand for. */
const MAX_OPERANDS = 10_000

/** Messages that operands can name: `${sample_response_payload.id}`, `${test_request_headers.x-id}`. */
interface OperandMessages {
  readonly sample: MessageView
  /** The attempt; in selections the sample itself. */
  readonly test: MessageView
}

/**
 * The values that an operand of a condition stands for. The bare name of a variable that a condition saved is replaced;
 * those of the engine need `${}`, so that a literal stays what it is. What no variable and no message holds stays as it
 * is written, and so does what stands for nothing at all (an empty list), so that a comparison with it fails.
 *
 * @throws Failure TEMPLATE_TOO_MANY_COMBINATIONS
 */
export function resolveOperand(operand: Scalar, variables: Variables, messages: OperandMessages): Scalar[] {
  if (typeof operand !== 'string') return [operand]
  const values = valuesOf(operand, variables, messages)
  return values.length === 0 ? [operand] : values
}

function valuesOf(operand: string, variables: Variables, messages: OperandMessages): Scalar[] {
  const bare = variables.captured(operand)
  if (bare !== undefined && !isRecords(bare)) return Array.isArray(bare) ? [...bare] : [bare as Scalar]
  if (!operand.includes('${')) return [operand]
  const whole = /^\$\{([^}]*)\}$/.exec(operand)
  if (whole !== null && variables.words(whole[1]!) === undefined && variables.get(whole[1]!) === undefined) {
    const found = messageValue(whole[1]!, messages)
    if (found !== undefined) return [found]
  }
  return resolveAll(operand, variables, MAX_OPERANDS)
}

const PART = /^(sample|test)_(request|response)_(payload|headers)\.(.+)$/

function messageValue(name: string, messages: OperandMessages): Scalar | undefined {
  const match = PART.exec(name)
  if (match === null) return undefined
  const [, which, side, part, key] = match as unknown as [string, string, string, string, string]
  const message = which === 'sample' ? messages.sample : messages.test
  if (part === 'headers') {
    const headers = side === 'request' ? message.requestHeaders : message.responseHeaders
    return headers.find((header) => header.name === key.toLowerCase())?.values[0]
  }
  const value = (side === 'request' ? message.requestBody : message.responseBody).leafOf(key)?.value
  return value === undefined ? undefined : scalarOf(value)
}
