import { editGraphql, replaceSelections } from '../graphql-edit.ts'
import type { ModificationDefinition } from '../modification.ts'
import { textOf } from '../values.ts'

/** `delete_graphql_field: field` */
const deleteGraphqlField: ModificationDefinition = {
  name: 'delete_graphql_field',
  summary: 'Removes every GraphQL field of that name or alias.',
  arguments: ['single'],
  canFail: false,
  apply(draft, key) {
    return editGraphql(draft, replaceSelections(textOf(key), '')) ? 'done' : 'nothing'
  },
  cases: [
    {
      title: 'removes a field in each entry of a batch',
      request:
        'POST /graphql HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n[{"query":"{ user { id name } }"},{"query":"{ a }"}]',
      argument: 'name',
      becomes:
        'POST /graphql HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n[{"query":"{\\n  user {\\n    id\\n  }\\n}"},{"query":"{ a }"}]',
    },
  ],
}

export default deleteGraphqlField
