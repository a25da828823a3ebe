import type { Generators } from './generator.ts'
import { padded, UPPER } from './random.ts'

const FIRST = [
  'Ann',
  'Juan',
  'Zoë',
  'Mei',
  'Olu',
  'Lars',
  'Priya',
  'Émile',
  'Sofia',
  'Ivan',
  'Aino',
  'Jürgen',
]
const LAST = [
  'Lee',
  'García',
  "O'Neil",
  'Müller',
  'Nowak',
  'Rossi',
  'Da Silva',
  'Virtanen',
  'Schmidt-Kern',
  'Okafor',
]
const STREETS = ['Baker Street', 'Main St', 'Oak Avenue', 'Elm Road', 'Park Lane', 'Sunset Blvd', 'Mill Way']
const FOREIGN_STREETS = [
  'Hauptstraße',
  'Gartenweg',
  'Calle Mayor',
  'Rue de Rivoli',
  'Via Roma',
  'Kerkstraat',
  'Storgatan',
]
const DOMAINS = [
  'shop.test',
  'mail.example.co.uk',
  'gmail.com',
  'web.de',
  'xn--bcher-kva.example',
  'company.museum',
]

export const PERSON: Generators = {
  EMAIL: {
    keys: ['email', 'userMail', 'contact'],
    alone: true,
    kind: 'check',
    lookAlike: (r) =>
      r.pick([
        `icon${r.int(1, 9)}@2x.png`,
        `pkg@${r.int(1, 9)}.${r.int(0, 9)}.0`,
        `@user${r.hex(3)}`,
        `ann${r.hex(3)}@localhost`,
        `a..b${r.hex(2)}@shop.test`,
        `${r.hex(4)}@shop`,
      ]),
    truth: (r) =>
      `${r.text('abcdefghijklmnopqrstuvwxyz', r.int(2, 9))}${r.pick(['', '.', '_', '+', '-'])}${r.hex(r.int(1, 4))}@${r.pick(DOMAINS)}`,
  },
  PHONE_NUMBER: {
    keys: ['phone', 'mobileNumber', 'tel', 'contact_phone'],
    kind: 'name',
    lookAlike: (r) =>
      r.pick([
        `+${r.digits(4)}`,
        `+999${r.digits(9)}`,
        `${r.int(2019, 2026)}-0${r.int(1, 9)}-1${r.int(0, 9)}`,
        `+1 000 ${r.digits(3)} ${r.digits(4)}`,
        'true',
        `ext. ${r.digits(3)}`,
      ]),
    truth(r) {
      if (r.isLucky(0.4))
        return r.pick([
          '+14155552671',
          '+493090182000',
          '+442079460958',
          '+919876543210',
          '+33612345678',
          '+61412345678',
        ])
      const national = `${r.int(201, 989)}${r.pick(['-', ' ', '.', ''])}${r.int(200, 999)}${r.pick(['-', ' ', ''])}${r.digits(4)}`
      return r.isLucky(0.5) ? national : `0${r.int(30, 999)} ${r.number(7)}`
    },
  },
  PERSON_NAME: {
    keys: ['fullName', 'last_name', 'cardholderName', 'vorname'],
    kind: 'name',
    truth: (r) => `${r.pick(FIRST)} ${r.pick(LAST)}`,
  },
  BIRTH_DATE: {
    keys: ['birthDate', 'dob', 'date_of_birth', 'geburtsdatum'],
    kind: 'name',
    truth(r) {
      const { year, month, day } = r.date(1930, 2015)
      const [m, d] = [padded(month, 2), padded(day, 2)]
      return r.pick([`${year}-${m}-${d}`, `${d}.${m}.${year}`, `${m}/${d}/${year}`, `${year}${m}${d}`])
    },
  },
  GENDER: {
    keys: ['gender', 'sex', 'geschlecht'],
    kind: 'name',
    truth: (r) => r.pick(['M', 'F', 'male', 'female', 'diverse', 'weiblich', 'homme']),
  },
  ADDRESS: {
    keys: ['address', 'street', 'billingAddress', 'addressLine1'],
    kind: 'name',
    truth: (r) =>
      r.isLucky(0.6)
        ? `${r.int(1, 9999)} ${r.pick(STREETS)}${r.pick(['', ', London', ', Apt 4'])}`
        : `${r.pick(FOREIGN_STREETS)} ${r.int(1, 300)}`,
  },
  GEO_COORDINATE: {
    keys: ['latitude', 'lng', 'geo', 'location'],
    kind: 'name',
    truth: (r) =>
      `${r.int(-89, 89)}.${r.digits(r.int(4, 8))}${r.isLucky(0.3) ? `,${r.int(-179, 179)}.${r.digits(6)}` : ''}`,
  },
  USERNAME: {
    keys: ['username', 'login', 'user_name'],
    kind: 'name',
    truth: (r) => r.text('abcdefghijklmnopqrstuvwxyz', r.int(3, 8)) + r.pick(['', '_', '.']) + r.digits(2),
  },
  PASSPORT_NUMBER: {
    keys: ['passportNumber', 'passport_no', 'reisepass'],
    kind: 'name',
    truth: (r) => r.text(UPPER, r.int(0, 2)) + r.number(r.int(6, 8)),
  },
  DRIVING_LICENCE: {
    keys: ['drivingLicence', 'driver_license', 'dlNumber'],
    kind: 'name',
    truth: (r) => r.text(UPPER, r.int(1, 5)) + r.number(r.int(5, 8)),
  },
  PASSPORT_MRZ: {
    keys: ['mrz', 'passportMrz'],
    alone: true,
    kind: 'check',
    checkAt: 43,
    truth(r) {
      const number = r.text(`${UPPER}0123456789`, 9)
      const birth = `${r.digits(2)}${padded(r.int(1, 12), 2)}${padded(r.int(1, 28), 2)}`
      const expiry = `${r.digits(2)}${padded(r.int(1, 12), 2)}${padded(r.int(1, 28), 2)}`
      const personal = r.text(`${UPPER}0123456789`, 14)
      const line = `${number}${mrz(number)}UTO${birth}${mrz(birth)}${r.pick(['M', 'F'])}${expiry}${mrz(expiry)}${personal}${mrz(personal)}`
      return line + mrz(line.slice(0, 10) + line.slice(13, 20) + line.slice(21, 43))
    },
  },
  IP_ADDRESS: {
    keys: ['ip', 'clientIp', 'lastLoginIp'],
    alone: true,
    kind: 'check',
    lookAlike: (r) =>
      r.pick([
        `${r.int(1, 9)}.${r.int(0, 30)}.${r.int(0, 99)}`,
        `${r.int(256, 999)}.1.1.1`,
        `${r.int(10, 23)}:${r.int(10, 59)}:${r.int(10, 59)}`,
        `1.2.3.${r.int(256, 900)}`,
        `${r.hex(4)}:${r.hex(4)}:${r.hex(4)}`,
      ]),
    truth: (r) =>
      r.isLucky(0.7)
        ? `${r.int(1, 223)}.${r.int(0, 255)}.${r.int(0, 255)}.${r.int(1, 254)}`
        : `2001:db8:${r.hex(4)}::${r.hex(3)}`,
  },
  MAC_ADDRESS: {
    keys: ['mac', 'bssid'],
    alone: true,
    kind: 'check',
    lookAlike: (r) =>
      r.pick([
        `${r.hex(2)}:${r.hex(2)}:${r.hex(2)}:${r.hex(2)}:${r.hex(2)}`,
        r.hex(12),
        `${r.hex(2)}:${r.hex(2)}-${r.hex(2)}:${r.hex(2)}:${r.hex(2)}:${r.hex(2)}`,
        `${r.int(10, 23)}:${r.int(10, 59)}:${r.int(10, 59)}.${r.digits(3)}`,
      ]),
    truth: (r) =>
      Array.from({ length: 6 }, () => r.hex(2))
        .join(r.pick([':', '-']))
        .replace(/(.)/, '$1'),
  },
  ADVERTISING_ID: { keys: ['idfa', 'gaid', 'advertisingId'], kind: 'name', truth: (r) => r.uuid() },
  UUID: {
    keys: ['uuid', 'id'],
    alone: true,
    kind: 'check',
    lookAlike: (r) =>
      r.pick([
        r.hex(32),
        `${r.hex(8)}-${r.hex(4)}-${r.hex(4)}-${r.hex(16)}`,
        `${r.hex(9)}-${r.hex(3)}-${r.hex(4)}-${r.hex(4)}-${r.hex(12)}`,
        `g${r.uuid().slice(1)}`,
      ]),
    truth: (r) => r.uuid(),
  },
  URL: {
    keys: ['url', 'link'],
    alone: true,
    kind: 'check',
    lookAlike: (r) =>
      r.pick([
        `shop.test/${r.hex(4)}`,
        `//cdn.test/${r.hex(4)}`,
        `mailto:a${r.hex(2)}@shop.test`,
        `https:/${r.hex(4)}`,
        `urn:isbn:${r.digits(10)}`,
      ]),
    truth: (r) => `https://${r.text('abcdefgh', 6)}.test/${r.hex(4)}?q=${r.hex(2)}`,
  },
}

function mrz(field: string): string {
  let sum = 0
  for (let i = 0; i < field.length; i++) {
    const code = field.charCodeAt(i)
    sum += (code <= 57 ? code - 48 : code - 55) * [7, 3, 1][i % 3]!
  }
  return String(sum % 10)
}
