import type { ModificationDefinition } from '../modification.ts'

const FAILURE = 'no request that reads the asset is known; only graph plans look for one'

/** `api: get_asset_api` */
const api: ModificationDefinition = {
  name: 'api',
  summary: 'First operation of a step of a graph plan: starts from the request that reads the asset.',
  arguments: ['single'],
  canFail: true,
  apply: () => ({ failure: FAILURE }),
  cases: [
    {
      title: 'fails outside a graph plan',
      request: 'DELETE /orders/7 HTTP/1.1\nhost: shop.test\n\n',
      argument: 'get_asset_api',
      becomes: { failure: FAILURE },
    },
  ],
}

export default api
