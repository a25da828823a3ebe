import { dataType } from '../data-type.ts'
import { DASH, LETTER, SPACE, WIDE } from '../value-signature.ts'

const VALUES = new Set(
  (
    'm f x male female man woman diverse nonbinary non-binary other männlich weiblich divers mann frau homme femme ' +
    'masculin féminin hombre mujer masculino femenino feminino maschio femmina uomo donna man vrouw mężczyzna kobieta kvinna nainen mies'
  ).split(' '),
)

export default dataType({
  name: 'GENDER',
  summary: 'A gender under a key that says so.',
  category: 'PERSON',
  severity: 'LOW',
  sensitiveIn: 'ALWAYS',
  evidence: 'NAME',
  mayMatch: { length: [1, 12], chars: LETTER | SPACE | DASH | WIDE },
  keys: [
    'gender',
    'sex',
    'geschlecht',
    'genre',
    'genero',
    'sexo',
    'sesso',
    'geslacht',
    'plec',
    'kon',
    'sukupuoli',
  ],
  needsKey: true,
  verify: (value) => (VALUES.has(value.toLowerCase()) ? 85 : 0),
  cases: [
    { value: 'female', key: 'gender', expect: true, because: 'a known value under a telling key' },
    { value: 'M', key: 'sex', expect: true, because: 'one letter' },
    { value: 'M', key: 'size', expect: false, because: 'a size of clothes' },
    { value: 'rock', key: 'genre', expect: false, because: 'a kind of music' },
  ],
})
