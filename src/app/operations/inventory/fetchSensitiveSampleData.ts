import type { ParameterRecord } from '../../../contract/index.ts'
import { endpointParameters, endpointSamples } from '../../../inventory/index.ts'
import { KEY } from '../../../path-templates/index.ts'
import type { Handler } from '../../handler.ts'
import { shownMessages } from '../../shown-messages.ts'
import { requireEndpoint } from './require-endpoint.ts'

const MAX_RECORDS = 5000
/** Characters of all samples of an answer: hundreds of parameters may share samples of 64 KiB. */
const MAX_SHOWN = 4 * 1024 * 1024

/** Shows samples that carry sensitive values, by sensitive parameter. */
export const fetchSensitiveSampleData: Handler<'fetchSensitiveSampleData'> = async (input, call) => {
  const endpoint = await requireEndpoint(input, call)
  const parameters = await endpointParameters(call.app, endpoint.id, MAX_RECORDS)
  const samples = await endpointSamples(call.app.store, endpoint.id, true)
  const shown = await shownMessages(call, {
    operation: 'fetchSensitiveSampleData',
    isUnmasked: input.unmasked,
    of: `${endpoint.method} ${endpoint.url}`,
  })
  const texts = await shown.samples(samples.map(({ message }) => message))
  let room = MAX_SHOWN
  const take = (text: string): boolean => {
    room -= text.length
    return room >= 0
  }
  return {
    sensitiveSampleData: parameters
      .filter((parameter) => parameter.isSensitive)
      .map((parameter) => ({
        param: parameter.name,
        position: parameter.kind as ParameterRecord['position'],
        responseCode: parameter.responseCode,
        subTypeString: parameter.valueType,
        samples: texts.filter((text, at) => {
          const { status, message } = samples[at]!
          const hasStatus = parameter.responseCode === -1 || status === parameter.responseCode
          return room > 0 && hasStatus && message.includes(lastName(parameter)) && take(text)
        }),
      })),
  }
}

/** The part of a flattened name that occurs in the message itself; '' when none does. */
function lastName({ kind, name }: { kind: string; name: string }): string {
  const parts = name.split('#').filter((part) => part !== '$' && part !== '*')
  const last = parts.at(-1) ?? ''
  // The only key of a set has no name in the path: `Orders(5)`.
  if (kind === 'PATH' && last === KEY) return ''
  return /^\d+$/.test(last) ? '' : last.replaceAll('%23', '#').replaceAll('%24', '$')
}
