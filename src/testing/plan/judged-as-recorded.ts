import type { Exchange } from '../../http/index.ts'
import { evaluate, type Lookups, MessageView, Variables } from '../../rules/index.ts'
import { overBudgetSentence } from '../run/outcome.ts'
import type { EndpointKey } from '../run/pair-result.ts'
import type { Template } from '../template/index.ts'

/** Whether a recorded message is worth keeping beside the samples that tests start from. */
export type SampleInterest = (endpoint: EndpointKey, sample: Exchange) => boolean

/**
 * A test that sends nothing judges what was recorded, so the newest message of each caller is not enough: whichever was
 * recorded last would decide. Such a test also gets every other stored sample that its selection takes.
 *
 * @param templates all tests of the run
 */
export function judgedAsRecorded(templates: Iterable<Template>, lookups: Lookups): SampleInterest {
  const passive = [...templates].filter(({ execute }) => execute.type === 'passive')
  return (endpoint, exchange) => {
    if (passive.length === 0) return false
    const sample = new MessageView(exchange)
    return passive.some((template) => takes(template, endpoint, sample, lookups))
  }
}

function takes(template: Template, endpoint: EndpointKey, sample: MessageView, lookups: Lookups): boolean {
  if (template.wordLists.length > 0) return true // its words are not known yet
  try {
    const variables = new Variables(new Map())
    return evaluate(template.filters, {
      phase: 'filter',
      endpoint,
      sample,
      attempt: null,
      variables,
      lookups,
    }).holds
  } catch (error) {
    if (overBudgetSentence(error) === null) throw error
    return true // the check itself says that its pattern takes too long
  }
}
