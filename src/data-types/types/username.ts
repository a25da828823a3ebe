import { dataType } from '../data-type.ts'
import { ANY, LINE, SPACE } from '../value-signature.ts'

const SHAPE = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}._@+-]{1,63}$/u
const NOT_NAMES = /^(?:true|false|null|undefined|unknown|none|required|\d+)$/i

export default dataType({
  name: 'USERNAME',
  summary: 'A login name, by the name of its key.',
  category: 'IDENTIFIER',
  severity: 'LOW',
  sensitiveIn: 'NEVER',
  evidence: 'NAME',
  mayMatch: { length: [2, 64], chars: ANY & ~(LINE | SPACE) },
  keys: [
    'username',
    'user name',
    'login',
    'login name',
    'user login',
    'account name',
    'benutzername',
    'identifiant',
    'usuario',
    'gebruikersnaam',
  ],
  needsKey: true,
  verify: (value) => (SHAPE.test(value) && !NOT_NAMES.test(value) ? 75 : 0),
  cases: [
    { value: 'ann_lee', key: 'username', expect: true, because: 'named' },
    { value: 'true', key: 'login', expect: false, because: 'a flag' },
    { value: 'ann_lee', key: 'slug', expect: false, because: 'nothing names it' },
  ],
})
