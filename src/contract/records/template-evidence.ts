import type { Static } from 'typebox'
import { decimal, integer, list, model, text } from '../schema.ts'

const endpointMove = model('EndpointMove', 'An endpoint that changed its URL.', {
  method: text(),
  from: text({ description: 'URL before.' }),
  to: text({ description: 'URL now.' }),
})

export const templateDecision = model('TemplateDecisionResult', 'What a decision about templates moved.', {
  moves: list(endpointMove, {
    description: 'Empty when nothing was known under the path yet; the decision holds.',
  }),
})

export const templateEvidence = model('TemplateEvidence', 'Why a path template is one.', {
  template: text(),
  decidedBy: text({ description: 'ENGINE, DOCUMENT, ROUTE or the e-mail address of a user.' }),
  distinctValues: integer({
    description: 'Distinct values seen at its positions, estimated above some hundreds.',
  }),
  examples: list(text(), { description: 'Values seen.' }),
  factors: list(
    model('TemplateFactor', 'One piece of evidence.', {
      position: integer({ description: 'Segment of the path, from 0.' }),
      name: text(),
      value: decimal({
        description: 'Contribution to the score; 3 when decisive, 0 when only informative.',
      }),
      note: text(),
    }),
  ),
  literalSiblings: list(
    model('LiteralSibling', 'A value at the same position that stayed literal.', {
      value: text(),
      reason: text(),
    }),
  ),
})

export type TemplateEvidence = Static<typeof templateEvidence>
