import { isMrzField } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { ANY_UPPER, DIGIT, LINE, PUNCTUATION } from '../value-signature.ts'

const LINE_TWO = /^[A-Z0-9<]{9}\d[A-Z<]{3}\d{6}\d[MFX<]\d{6}\d[A-Z0-9<]{14}[0-9<]\d$/

export default dataType({
  name: 'PASSPORT_MRZ',
  summary: 'The machine-readable zone of a passport (ICAO 9303 TD3): its second line with four check digits.',
  category: 'NATIONAL_ID',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [44, 90], chars: ANY_UPPER | DIGIT | PUNCTUATION | LINE, requires: DIGIT },
  keys: ['mrz', 'passport', 'machine readable zone'],
  verify(value) {
    const line = value.split(/\r?\n/, 2).at(-1)!.slice(-44)
    if (!LINE_TWO.test(line)) return 0
    const areFieldsRight =
      isMrzField(line.slice(0, 9), line[9]!) &&
      isMrzField(line.slice(13, 19), line[19]!) &&
      isMrzField(line.slice(21, 27), line[27]!)
    const composite = line.slice(0, 10) + line.slice(13, 20) + line.slice(21, 43)
    return areFieldsRight && isMrzField(composite, line[43]!) ? 99 : 0
  },
  cases: [
    {
      value: 'L898902C36UTO7408122F1204159ZE184226B<<<<<10',
      key: 'v',
      expect: true,
      because: 'the specimen of the standard',
    },
    {
      value: 'P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\nL898902C36UTO7408122F1204159ZE184226B<<<<<10',
      key: 'mrz',
      expect: true,
      because: 'both lines',
    },
    {
      value: 'L898902C37UTO7408122F1204159ZE184226B<<<<<10',
      key: 'mrz',
      expect: false,
      because: 'wrong check digit',
    },
    { value: 'A'.repeat(44), key: 'mrz', expect: false, because: 'no fields' },
  ],
})
