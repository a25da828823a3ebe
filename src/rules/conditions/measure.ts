import { isOtherObject, meaningPercentage } from '../meaning.ts'
import { percentage, schemaPercentage } from '../percentages.ts'
import type { TermDefinition } from '../terms/term.ts'
import type { Scalar } from '../variables/variables.ts'
import type { Measure } from './node.ts'
import type { Scene } from './scene.ts'

/** Methods that only read (RFC 9110 section 9.2.1). */
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])
/** Outer braces of a body do not count. */
const BRACES = 2

/**
 * What a body node measures. The length of a body is counted without its outer braces, and an empty body has none; that
 * of a query is counted whole; of a part that is neither, the value itself is compared. Percentages compare with the
 * answer of the sample. Null: nothing to compare.
 */
export function measured(term: TermDefinition, measure: Measure, scene: Scene): Scalar {
  const body = term.body?.(scene)
  if (body === undefined) {
    const whole = term.whole(scene)
    if (measure !== 'length') return null
    return term.name === 'query_param' ? String(whole ?? '').length : whole
  }
  const sample = scene.sample.responseBody.text
  switch (measure) {
    case 'length':
      return body.text === '' ? null : body.text.length - BRACES
    case 'percentage_match':
      return Math.trunc(percentage(body.text, sample))
    case 'percentage_match_schema':
      return schemaPercentage((scene.attempt ?? scene.sample).responseBody.text, sample)
    case 'percentage_match_meaning':
      return meaningPercentage(body.text, sample, !SAFE.has(scene.sample.method), {
        now: (scene.attempt ?? scene.sample).sentValues,
        before: scene.sample.sentValues,
        isOtherObject: isOtherObject(
          (scene.attempt ?? scene.sample).url,
          scene.sample.url,
          scene.endpoint.url,
        ),
      })
    case 'nlp_classification':
      return null
  }
}
