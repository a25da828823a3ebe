import { credentialNames, editCarried, removeCredentials } from '../../attempts/credentials.ts'
import type { ModificationDefinition } from '../modification.ts'

/** `remove_auth_header: true` */
const removeAuthHeader: ModificationDefinition = {
  name: 'remove_auth_header',
  summary:
    'Removes every known credential: headers, cookies, query parameters and body fields. Fails where the request carries none.',
  arguments: ['single'],
  canFail: true,
  apply(draft, _key, _value, environment) {
    const { headers, bodyKeys } = environment.credentials.authTypeKeys
    const isRemoved = removeCredentials(draft, [...credentialNames(environment), ...headers], bodyKeys)
    const isCarriedRemoved = editCarried(draft, () => null)
    return isRemoved || isCarriedRemoved ? 'done' : { failure: 'the request carries no known credential' }
  },
  cases: [
    {
      title: 'removes the credential',
      request:
        'GET / HTTP/1.1\nhost: shop.test\nAuthorization: Bearer victim\ncookie: session=v; theme=dark\n\n',
      argument: true,
      becomes: 'GET / HTTP/1.1\nhost: shop.test\ncookie: theme=dark\n\n',
    },
    {
      title: 'removes tokens in the query and the body',
      request:
        'POST /graphql?access_token=s3cret&page=1 HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"query":"query ($t: String) { me(token: $t) { id } }","variables":{"t":"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2ln"}}',
      argument: true,
      becomes:
        'POST /graphql?page=1 HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n{"query":"query ($t: String) { me(token: $t) { id } }","variables":{}}',
    },
    {
      title: 'removes a token in a form, and leaves the key that all users of an application send',
      request:
        'POST /profile HTTP/1.1\nhost: shop.test\ncontent-type: application/x-www-form-urlencoded\n\napi_key=pk1&access_token=s3cret&page=1',
      argument: true,
      becomes:
        'POST /profile HTTP/1.1\nhost: shop.test\ncontent-type: application/x-www-form-urlencoded\n\napi_key=pk1&page=1',
    },
    {
      title: 'fails where there is none',
      request: 'GET / HTTP/1.1\nhost: shop.test\n\n',
      argument: true,
      becomes: { failure: 'the request carries no known credential' },
    },
  ],
}

export default removeAuthHeader
