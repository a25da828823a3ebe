import type { Static } from 'typebox'
import { epochSeconds, integer, model, oneOf, text } from '../schema.ts'

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
  utility: oneOf(['EXTERNAL_API', 'CICD', 'BURP', 'SLACK'], { description: 'What the key opens.' }),
})

/** An API key on the wire. */
export type ApiToken = Static<typeof apiToken>
