import type { ModificationDefinition } from '../modification.ts'

/** `for_each_combination: boolean` */
const forEachCombination: ModificationDefinition = {
  name: 'for_each_combination',
  summary:
    'True: every key with every value, instead of key and value side by side. Read from the first request, holds for all.',
  arguments: ['single'],
  canFail: false,
  apply: () => 'done',
  cases: [
    {
      title: 'changes nothing in the request itself',
      request: 'GET / HTTP/1.1\nhost: shop.test\n\n',
      argument: true,
      becomes: 'GET / HTTP/1.1\nhost: shop.test\n\n',
    },
  ],
}

export default forEachCombination
