import { credentialNames, editCarried, removeCredentials } from '../../attempts/credentials.ts'
import type { ModificationDefinition } from '../modification.ts'

/** `drop_credentials: true` */
const dropCredentials: ModificationDefinition = {
  name: 'drop_credentials',
  summary:
    'Removes every known credential, where the request carries any: for what the host may show to everybody.',
  arguments: ['single'],
  canFail: false,
  apply(draft, _key, _value, environment) {
    const { headers, bodyKeys } = environment.credentials.authTypeKeys
    removeCredentials(draft, [...credentialNames(environment), ...headers], bodyKeys)
    editCarried(draft, () => null)
    return 'done'
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
      title: 'leaves a request without credentials as it is',
      request: 'GET / HTTP/1.1\nhost: shop.test\n\n',
      argument: true,
      becomes: 'unchanged',
    },
  ],
}

export default dropCredentials
