import { dataType } from '../data-type.ts'
import { DASH, DIGIT, HEX_LOWER, HEX_UPPER } from '../value-signature.ts'

const SHAPE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export default dataType({
  name: 'ADVERTISING_ID',
  summary: 'An advertising identifier of a phone, under a telling key.',
  category: 'DEVICE',
  severity: 'LOW',
  sensitiveIn: 'ALWAYS',
  evidence: 'NAME',
  mayMatch: { length: [36, 36], chars: DIGIT | HEX_LOWER | HEX_UPPER | DASH, requires: DASH },
  keys: ['idfa', 'idfv', 'gaid', 'aaid', 'advertising id', 'ad id', 'advertiser id', 'adid'],
  needsKey: true,
  verify: (value) => (SHAPE.test(value) && !/^[0-]+$/.test(value) ? 95 : 0),
  cases: [
    {
      value: '6D92078A-8246-4BA4-AE5B-76104861E7DC',
      key: 'idfa',
      expect: true,
      because: 'a UUID under a telling key',
    },
    {
      value: '00000000-0000-0000-0000-000000000000',
      key: 'idfa',
      expect: false,
      because: 'tracking switched off',
    },
    { value: '6D92078A-8246-4BA4-AE5B-76104861E7DC', key: 'id', expect: false, because: 'any UUID' },
  ],
})
