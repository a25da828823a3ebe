import { createHash } from 'node:crypto'
import type { Generators } from './generator.ts'
import { luhnDigit, until, weighted } from './generator.ts'
import type { Random } from './random.ts'
import { BASE62, padded, UPPER } from './random.ts'

function card(r: Random): string {
  const [prefix, length] = r.pick([
    ['4', 16],
    ['51', 16],
    ['2221', 16],
    ['34', 15],
    ['37', 15],
    ['6011', 16],
    ['36', 14],
    ['3530', 16],
  ] as const)
  const body = prefix + r.digits(length - 1 - prefix.length)
  const whole = body + luhnDigit(body)
  return whole.length === 16 && r.isLucky(0.3) ? whole.replace(/(.{4})(?=.)/g, '$1 ') : whole
}

const IBAN_FORMS: readonly (readonly [country: string, digits: number])[] = [
  ['DE', 18],
  ['ES', 20],
  ['AT', 16],
  ['BE', 12],
  ['PL', 24],
  ['DK', 14],
]

function iban(r: Random): string {
  const [country, size] = r.pick(IBAN_FORMS)
  const body = r.digits(size)
  const number = BigInt(`${body}${country.charCodeAt(0) - 55}${country.charCodeAt(1) - 55}00`)
  const whole = `${country}${padded(98 - Number(number % 97n), 2)}${body}`
  return r.isLucky(0.3) ? whole.replace(/(.{4})(?=.)/g, '$1 ') : whole
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

function bitcoin(r: Random): string {
  const payload = Buffer.from(`00${r.text('123456789abcdef', 1)}${r.hex(39)}`, 'hex')
  const digest = createHash('sha256').update(createHash('sha256').update(payload).digest()).digest()
  let number = BigInt(`0x${Buffer.concat([payload, digest.subarray(0, 4)]).toString('hex')}`)
  let text = ''
  for (; number > 0n; number /= 58n) text = BASE58[Number(number % 58n)]! + text
  return `1${text}`
}

/** The last character moved on by one: the checksum breaks. */
function withWrongEnd(address: string): string {
  const at = BASE58.indexOf(address.at(-1)!)
  return address.slice(0, -1) + BASE58[(at + 1) % 58]
}

const VIN_ALPHABET = 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789'
const VIN_VALUES: Readonly<Record<string, number>> = Object.fromEntries(
  [...'ABCDEFGH']
    .map((letter, at) => [letter, at + 1])
    .concat(
      [...'JKLMN'].map((letter, at) => [letter, at + 1]),
      [
        ['P', 7],
        ['R', 9],
      ],
      [...'STUVWXYZ'].map((letter, at) => [letter, at + 2]),
    ),
)

function vin(r: Random): string {
  const text = `1${r.text(VIN_ALPHABET.slice(0, 23), 2)}${r.text(VIN_ALPHABET, 5)}0${r.text(VIN_ALPHABET, 4)}${r.digits(4)}`
  const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2]
  const sum = weights.reduce(
    (total, weight, at) => total + weight * (VIN_VALUES[text[at]!] ?? Number(text[at])),
    0,
  )
  return `${text.slice(0, 8)}${sum % 11 === 10 ? 'X' : sum % 11}${text.slice(9)}`
}

export const FINANCE_AND_HEALTH: Generators = {
  CREDIT_CARD: { keys: ['cardNumber', 'pan', 'creditCard'], alone: true, kind: 'check', truth: card },
  CARD_CVV: { keys: ['cvv', 'cvc2', 'securityCode'], kind: 'name', truth: (r) => r.digits(r.int(3, 4)) },
  IBAN: { keys: ['iban', 'bankAccount'], alone: true, kind: 'check', checkAt: 3, truth: iban },
  BIC: {
    keys: ['bic', 'swiftCode'],
    kind: 'name',
    truth: (r) =>
      `${r.text(UPPER, 4)}${r.pick(['DE', 'FR', 'GB', 'US'])}${r.text(UPPER, 2)}${r.isLucky(0.3) ? r.digits(3) : ''}`,
  },
  US_ROUTING_NUMBER: {
    keys: ['routingNumber', 'abaNumber'],
    kind: 'check',
    truth: (r) =>
      until(() => {
        const whole = `${r.pick(['01', '07', '11', '25', '31'])}${r.digits(7)}`
        return weighted(whole, [3, 7, 1, 3, 7, 1, 3, 7, 1]) % 10 === 0 ? whole : undefined
      }),
  },
  IN_UPI_ID: {
    keys: ['upiId', 'vpa'],
    alone: true,
    kind: 'check',
    lookAlike: (r) =>
      r.pick([
        `${r.hex(5)}@${r.hex(3)}localhost`,
        `deploy@host${r.int(1, 9)}`,
        `@okaxis${r.hex(2)}`,
        `ann${r.hex(3)}@okaxis.example.com`,
        `pkg@${r.int(1, 9)}.0.0`,
      ]),
    truth: (r) => `${r.text('abcdefghij', 5)}.${r.hex(2)}@${r.pick(['okaxis', 'oksbi', 'ybl', 'paytm'])}`,
  },
  CRYPTO_ADDRESS: {
    keys: ['wallet', 'btcAddress'],
    alone: true,
    kind: 'check',
    lookAlike: (r) =>
      r.isLucky(0.5)
        ? withWrongEnd(bitcoin(r))
        : r.pick([r.hex(40), `0x${r.hex(r.pick([8, 32, 64]))}`, `1${r.base62(33)}`]),
    truth: (r) => (r.isLucky(0.6) ? bitcoin(r) : `0x${r.hex(40)}`),
  },
  BANK_ACCOUNT: {
    keys: ['accountNumber', 'bankAccountNumber', 'kontonummer'],
    kind: 'name',
    truth: (r) => r.number(r.int(8, 14)),
  },
  VIN: { keys: ['vin', 'chassisNumber'], alone: true, kind: 'check', checkAt: 8, truth: vin },
  IMEI: {
    keys: ['imei'],
    kind: 'check',
    truth(r) {
      const body = `35${r.digits(12)}`
      return body + luhnDigit(body)
    },
  },
  ICD10_CODE: {
    keys: ['icd10', 'diagnosisCode'],
    kind: 'name',
    truth: (r) =>
      `${r.text('ABCDEFGHIJKLMNOPQRST', 1)}${r.digits(2)}${r.isLucky(0.7) ? `.${r.digits(r.int(1, 2))}` : ''}`,
  },
  MEDICAL_RECORD_NUMBER: {
    keys: ['mrn', 'medicalRecordNumber'],
    kind: 'name',
    truth: (r) => `${r.pick(['', 'MRN-', 'H'])}${r.number(r.int(6, 9))}`,
  },
  US_MEDICARE_MBI: {
    keys: ['mbi', 'medicareNumber'],
    alone: true,
    kind: 'name',
    truth(r) {
      const letter = (): string => r.text('ACDEFGHJKMNPQRTUVWXY', 1)
      const either = (): string => r.text('ACDEFGHJKMNPQRTUVWXY0123456789', 1)
      return `${r.int(1, 9)}${letter()}${either()}${r.int(0, 9)}-${letter()}${either()}${r.int(0, 9)}-${letter()}${letter()}${r.digits(2)}`
    },
  },
  US_NPI: {
    keys: ['npi', 'providerNpi'],
    kind: 'check',
    truth(r) {
      const body = `1${r.digits(8)}`
      return body + luhnDigit(`80840${body}`)
    },
  },
  US_DEA_NUMBER: {
    keys: ['deaNumber'],
    kind: 'check',
    truth(r) {
      const digits = r.digits(6)
      const at = (index: number): number => Number(digits[index])
      return `${r.pick(['A', 'B', 'F', 'M'])}${r.text(UPPER, 1)}${digits}${(at(0) + at(2) + at(4) + 2 * (at(1) + at(3) + at(5))) % 10}`
    },
  },
  PASSWORD: {
    keys: ['password', 'userPassword', 'passwd', 'motDePasse'],
    kind: 'name',
    truth: (r) => r.text(`${BASE62}!#%-`, r.int(8, 14)),
  },
  SECRET: {
    keys: ['clientSecret', 'api_key', 'accessToken', 'signingKey'],
    kind: 'name',
    truth: (r) => (r.isLucky(0.5) ? r.base62(r.int(24, 48)) : r.hex(r.pick([32, 40, 64]))),
  },
  SESSION_ID: {
    keys: ['JSESSIONID', 'sessionId', 'connect.sid'],
    kind: 'name',
    truth: (r) => r.base62(r.int(24, 40)),
  },
  ONE_TIME_CODE: {
    keys: ['otp', 'verificationCode', 'mfaCode'],
    kind: 'name',
    truth: (r) => r.digits(r.pick([4, 6, 6, 8])),
  },
}
