import type { ModificationDefinition } from '../modification.ts'

const FAILURE = 'conversations need an agent runner, which Vigil has none of'

/** `conversations_list: {name: prompts}` */
const conversationsList: ModificationDefinition = {
  name: 'conversations_list',
  summary: 'Turns the attempt into a conversation with an agent. Vigil has no agent runner: the step fails.',
  arguments: ['pairs'],
  canFail: true,
  apply: () => ({ failure: FAILURE }),
  cases: [
    {
      title: 'fails',
      request: 'POST / HTTP/1.1\nhost: shop.test\n\n',
      argument: { chat: 'hello' },
      becomes: { failure: FAILURE },
    },
  ],
}

export default conversationsList
