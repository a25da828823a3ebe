import { credentialNames, removeCredentials } from '../../attempts/credentials.ts'
import type { ModificationDefinition } from '../modification.ts'

/** `remove_auth_header: true` */
const removeAuthHeader: ModificationDefinition = {
  name: 'remove_auth_header',
  summary:
    'Removes every known credential: headers, cookies and body fields. Fails where the request carries none.',
  arguments: ['single'],
  canFail: true,
  apply(draft, _key, _value, environment) {
    const { headers, bodyKeys } = environment.credentials.authTypeKeys
    const isRemoved = removeCredentials(draft, [...credentialNames(environment), ...headers], bodyKeys)
    return isRemoved ? 'done' : { failure: 'the request carries no known credential' }
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
      title: 'fails where there is none',
      request: 'GET / HTTP/1.1\nhost: shop.test\n\n',
      argument: true,
      becomes: { failure: 'the request carries no known credential' },
    },
  ],
}

export default removeAuthHeader
