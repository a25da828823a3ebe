import { isIbanChecksum } from '../checksums.ts'
import { dataType } from '../data-type.ts'
import { ALPHANUMERIC, DIGIT, SPACE } from '../value-signature.ts'

/** Length per country (registry of ISO 13616). */
const LENGTHS = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 ' +
    'FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 ' +
    'LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 ' +
    'RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry): [string, number] => [entry.slice(0, 2), Number(entry.slice(2))]),
)

export default dataType({
  name: 'IBAN',
  summary: 'An international bank account number: length of its country and the mod 97 check of ISO 13616.',
  category: 'FINANCE',
  severity: 'HIGH',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: { length: [15, 42], chars: ALPHANUMERIC | SPACE, requires: DIGIT },
  keys: ['iban', 'bank account', 'account number', 'kontonummer', 'konto', 'compte', 'cuenta', 'conta'],
  inText: true,
  verify(value) {
    const compact = (value.includes(' ') ? value.replaceAll(' ', '') : value).toUpperCase()
    if (LENGTHS.get(compact.slice(0, 2)) !== compact.length || !/^\d\d$/.test(compact.slice(2, 4))) return 0
    return isIbanChecksum(compact) ? 97 : 0
  },
  cases: [
    { value: 'DE89370400440532013000', key: 'account', expect: true, because: 'check digits hold' },
    { value: 'GB82 WEST 1234 5698 7654 32', key: 'v', expect: true, because: 'printed in groups of four' },
    { value: 'DE88370400440532013000', key: 'iban', expect: false, because: 'wrong check digits' },
    { value: 'DE8937040044053201300', key: 'iban', expect: false, because: 'one digit short' },
    { value: 'XX89370400440532013000', key: 'iban', expect: false, because: 'no such country' },
  ],
})
