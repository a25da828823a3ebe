import { addToSelections, editGraphql } from '../graphql-edit.ts'
import type { ModificationDefinition } from '../modification.ts'
import { textOf } from '../values.ts'

/** `add_graphql_field: {field: text}` */
const addGraphqlField: ModificationDefinition = {
  name: 'add_graphql_field',
  summary: 'Adds a selection to every GraphQL field of that name or alias, and to fragments on that type.',
  arguments: ['pairs'],
  canFail: false,
  apply(draft, key, value) {
    return editGraphql(draft, addToSelections(textOf(key), textOf(value), false)) ? 'done' : 'nothing'
  },
  cases: [
    {
      title: 'adds a field',
      request:
        'POST /graphql HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"query":"{ user { id } }"}',
      argument: { user: 'password' },
      becomes:
        'POST /graphql HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"query":"{\\n  user {\\n    id\\n    password\\n  }\\n}"}',
    },
  ],
}

export default addGraphqlField
