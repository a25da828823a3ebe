import { model, oneOf, openObject } from '../schema.ts'
import { conditionTypes } from '../vocabulary.ts'

/** Kind of a condition. */
type ConditionType = keyof typeof conditionTypes

const explained = Object.entries(conditionTypes).map(([name, data]) => `${name} ${data}`)

export const groupCondition = model(
  'GroupCondition',
  'One condition of a group. Conditions with AND must all hold; of those with OR at least one must.',
  {
    type: oneOf(Object.keys(conditionTypes) as ConditionType[], { description: 'Kind of condition.' }),
    operator: oneOf(['AND', 'OR'], { description: 'How it combines with the others.' }),
    data: openObject({ description: `By type: ${explained.join('; ')}. Regular expressions in RE2 syntax.` }),
  },
)
