import type { Static } from 'typebox'
import { epochSeconds, flag, integer, list, model, oneOf, text } from '../schema.ts'
import { filled, wideRecord } from '../wide-record.ts'

/** An API key (or, with utility SLACK, a chat webhook) as the token operations show it. */
export const apiToken = model('ApiToken', 'An API key, or a chat webhook when its utility is SLACK.', {
  id: integer({ description: 'Identifier: the creation second, made unique.' }),
  accountId: integer({ description: 'The organisation of this installation.' }),
  name: text({ description: 'Name; for a webhook the name it was given.' }),
  key: text({
    description: 'The key in full once, at its creation (a BURP key always); else its masked form.',
  }),
  timestamp: epochSeconds('When it was created.'),
  username: text({ description: 'E-mail address of the owner, whose rights the key has.' }),
  lastUsedTs: epochSeconds('When the key was last used, exact to five minutes; 0 for never.'),
  expiresTs: epochSeconds('Until when the key works; 0 for keys that do not expire.'),
  utility: oneOf(['EXTERNAL_API', 'CICD', 'BURP', 'SLACK'], { description: 'What the key opens.' }),
})

export const tokenObject = wideRecord(
  'TokenObject',
  'Shared answer of the operations about API keys and chat webhooks.',
  {
    apiTokenId: filled(integer(), 0),
    apiTokenDeleted: filled(flag(), false),
    webhookName: filled(text(), null),
    tokenUtility: filled(text(), null),
    error: filled(
      text({ description: 'Set only where an operation reports its problems with status 200.' }),
      null,
    ),
    webhookUrl: filled(text(), null),
    frequencyInSeconds: filled(integer(), 0),
    apiTokenList: filled(list(apiToken), null),
  },
)

export type ApiToken = Static<typeof apiToken>
