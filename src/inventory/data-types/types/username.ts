import { dataType } from '../data-type.ts'
import { ANY, LINE, SPACE } from '../value-signature.ts'

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
  verify: (value) =>
    /^(?:true|false|null|undefined)$/i.test(value) || value.includes('://') || !/\p{L}/u.test(value) ? 0 : 75,
  cases: [
    { value: 'ann_lee', key: 'username', expect: true, because: 'named' },
    { value: 'true', key: 'login', expect: false, because: 'a flag' },
    { value: 'ann_lee', key: 'slug', expect: false, because: 'nothing names it' },
  ],
})
