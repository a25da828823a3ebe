import { group, operation, root } from '../operation.ts'
import { optional } from '../request-field.ts'
import { absentable, flag, integer, list, model, nullable, oneOf, text } from '../schema.ts'
import { keptKinds } from '../vocabulary.ts'

const shared = {
  inSpecification: false,
  specified: 'open',
  note: 'Not an operation of the specification.',
} as const

/** Longest time that something can be kept: a hundred years, in hours. */
const MOST_KEPT = 876_000
const MOST_NAME = 100

const organisation = model('Organisation', 'The organisation that the installation serves.', {
  name: text({ description: 'Empty: not given.' }),
  timeZone: text({
    description:
      'IANA name of the zone that is shown where nobody chose another; empty: the zone of each browser.',
  }),
  redactsNewCollections: flag({ description: 'New collections store no payload values.' }),
  kept: list(
    model('KeptTime', 'How long rows of one kind are kept.', {
      kind: oneOf(keptKinds),
      unit: oneOf(['DAY', 'HOUR']),
      time: integer({ description: 'In the unit; 0: forever.' }),
      byDefault: integer({ description: 'What the settings of the server say.' }),
      isChosen: flag({ description: 'Differs from the settings of the server by choice.' }),
    }),
  ),
})

const answer = root(model('OrganisationResult', 'The organisation.', { organisation }))

const exampleOrganisation = {
  name: 'Example Payments',
  timeZone: 'Europe/Berlin',
  redactsNewCollections: false,
  kept: [{ kind: 'SAMPLES' as const, unit: 'DAY' as const, time: 14, byDefault: 30, isChosen: true }],
}

/** Name, time zone, redaction and retention of the installation, by their wire names. */
export const organisationOperations = group('account', {
  fetchOrganisation: operation({
    ...shared,
    summary: 'Tells name, time zone, redaction and retention of the organisation',
    description: 'How long threat events are kept is in fetchThreatConfiguration.',
    request: {},
    answer,
    role: 'GUEST',
    access: 'read',
    errors: [],
    idempotent: true,
    example: { request: {}, response: { organisation: exampleOrganisation } },
  }),

  updateOrganisation: operation({
    ...shared,
    summary: 'Sets name, time zone, redaction and retention of the organisation',
    description:
      'What is left out, or null, stays as it is. A shorter time removes what is older within the hour, permanently. Redaction of existing collections is switched with redactCollection.',
    request: {
      name: optional(text({ maxLength: MOST_NAME }), 'Empty: none.'),
      timeZone: optional(text({ maxLength: MOST_NAME }), 'IANA name; empty: the zone of each browser.'),
      redactsNewCollections: optional(flag(), 'Whether new collections store no payload values.'),
      kept: optional(
        list(
          model('ChosenKeptTime', 'How long rows of one kind are kept.', {
            kind: oneOf(keptKinds),
            time: absentable(
              nullable(
                integer({
                  minimum: 0,
                  maximum: MOST_KEPT,
                  description:
                    'In the unit of the kind, at most 36,500 days; 0: forever; null: as the settings of the server say.',
                }),
              ),
            ),
          }),
          { maxItems: keptKinds.length },
        ),
        'Kinds that are left out stay as they are.',
      ),
    },
    answer,
    role: 'ADMIN',
    access: 'write',
    errors: ['INVALID_TIME_ZONE', 'KEPT_TOO_LONG'],
    idempotent: true,
    example: {
      request: { name: 'Example Payments', kept: [{ kind: 'SAMPLES', time: 14 }] },
      response: { organisation: exampleOrganisation },
    },
  }),
})
