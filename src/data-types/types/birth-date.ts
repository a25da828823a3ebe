import { nowMs } from '../../kit/index.ts'
import { yearOfDateText } from '../calendar.ts'
import { dataType } from '../data-type.ts'
import { COLON, DASH, DIGIT, DOT, PLUS, SLASH, UPPER } from '../value-signature.ts'

const OLDEST_YEARS = 125

export default dataType({
  name: 'BIRTH_DATE',
  summary: 'A date of birth: a date of a living person under a key that says so.',
  category: 'PERSON',
  severity: 'MEDIUM',
  sensitiveIn: 'ALWAYS',
  evidence: 'NAME',
  mayMatch: { length: [8, 29], chars: DIGIT | DASH | SLASH | DOT | COLON | PLUS | UPPER, requires: DIGIT },
  keys: [
    'birth',
    'birth date',
    'birthdate',
    'birthday',
    'date of birth',
    'dob',
    'born',
    'geburtsdatum',
    'geburtstag',
    'naissance',
    'nacimiento',
    'nascita',
    'nascimento',
    'geboortedatum',
    'urodzenia',
    'fodelsedatum',
    'syntymaaika',
  ],
  needsKey: true,
  verify(value) {
    const year = yearOfDateText(value)
    const thisYear = new Date(nowMs()).getUTCFullYear()
    return year !== undefined && year <= thisYear && year >= thisYear - OLDEST_YEARS ? 90 : 0
  },
  cases: [
    { value: '1987-04-23', key: 'birthDate', expect: true, because: 'ISO date under a telling key' },
    { value: '23.04.1987', key: 'geburtsdatum', expect: true, because: 'day first' },
    { value: '1987-04-23T00:00:00Z', key: 'dob', expect: true, because: 'midnight of a day' },
    { value: '1987-04-23', key: 'createdAt', expect: false, because: 'some other date' },
    { value: '1987-13-45', key: 'birthDate', expect: false, because: 'not in the calendar' },
    { value: '1687-04-23', key: 'birthDate', expect: false, because: 'nobody lives that long' },
  ],
})
