import { editJwts, readJwt } from '../../tokens/jwt.ts'
import type { ModificationDefinition } from '../modification.ts'
import { textOf } from '../values.ts'

/** `jwt_replace_body: token` */
const jwtReplaceBody: ModificationDefinition = {
  name: 'jwt_replace_body',
  summary:
    'Puts the payload of the given JWT into the first header that carries one, between its own header part and signature.',
  arguments: ['single'],
  canFail: false,
  apply(draft, key) {
    const given = readJwt(textOf(key).trim())
    if (given === null) return 'nothing'
    for (const [index, header] of draft.headers.entries()) {
      if (header.name.toLowerCase() === 'cookie') continue
      const value = editJwts(header.value, ({ parts }) => `${parts[0]}.${given.parts[1]}.${parts[2]}`)
      if (value === null) continue
      draft.headers = draft.headers.with(index, { name: header.name, value })
      return 'done'
    }
    return 'nothing'
  },
  cases: [
    {
      title: 'takes the payload of another token',
      request:
        'GET / HTTP/1.1\nhost: shop.test\nauthorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2ln\n\n',
      argument: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOjh9.eHg',
      becomes:
        'GET / HTTP/1.1\nhost: shop.test\nauthorization: Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOjh9.c2ln\n\n',
    },
  ],
}

export default jwtReplaceBody
