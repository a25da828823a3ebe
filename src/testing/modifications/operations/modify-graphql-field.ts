import { editGraphql, replaceSelections } from '../graphql-edit.ts'
import type { ModificationDefinition } from '../modification.ts'
import { textOf } from '../values.ts'

/** `modify_graphql_field: {field: text}` */
const modifyGraphqlField: ModificationDefinition = {
  name: 'modify_graphql_field',
  summary: 'Puts a selection in place of every GraphQL field of that name or alias.',
  arguments: ['pairs'],
  canFail: false,
  apply(draft, key, value) {
    return editGraphql(draft, replaceSelections(textOf(key), textOf(value))) ? 'done' : 'nothing'
  },
  cases: [
    {
      title: 'replaces a field',
      request:
        'POST /graphql HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"query":"{ user { id } }","variables":{}}',
      argument: { id: 'email' },
      becomes:
        'POST /graphql HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"query":"{\\n  user {\\n    email\\n  }\\n}","variables":{}}',
    },
  ],
}

export default modifyGraphqlField
