import { addToSelections, editGraphql } from '../graphql-edit.ts'
import type { ModificationDefinition } from '../modification.ts'
import { textOf } from '../values.ts'

/** `add_unique_graphql_field: {field: text}` */
const addUniqueGraphqlField: ModificationDefinition = {
  name: 'add_unique_graphql_field',
  summary: 'As add_graphql_field, but only where that selection is not there already.',
  arguments: ['pairs'],
  canFail: false,
  apply(draft, key, value) {
    return editGraphql(draft, addToSelections(textOf(key), textOf(value), true)) ? 'done' : 'nothing'
  },
  cases: [
    {
      title: 'does not repeat a selection that is there',
      request:
        'POST /graphql HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"query":"{ user { id } }"}',
      argument: { user: 'id' },
      becomes:
        'POST /graphql HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"query":"{ user { id } }"}',
    },
  ],
}

export default addUniqueGraphqlField
