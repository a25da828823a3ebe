import type { Generators } from './generator.ts'
import { luhnDigit, until, weighted } from './generator.ts'
import type { Random } from './random.ts'
import { padded, UPPER } from './random.ts'

function yymmdd(r: Random): string {
  const { year, month, day } = r.date(1940, 2005)
  return padded(year % 100, 2) + padded(month, 2) + padded(day, 2)
}

function ddmmyy(r: Random): string {
  const date = yymmdd(r)
  return date.slice(4) + date.slice(2, 4) + date.slice(0, 2)
}

/** A number whose single digit makes the whole pass a test. */
function withDigit(prefix: string, passes: (whole: string) => boolean): string | undefined {
  for (let digit = 0; digit < 10; digit++) if (passes(prefix + digit)) return prefix + digit
  return undefined
}

const VERHOEFF_D = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
]
const VERHOEFF_P = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
]

function isVerhoeffByTable(digits: string): boolean {
  let check = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i])
    check = Number(VERHOEFF_D[check]![Number(VERHOEFF_P[i % 8]![digit])])
  }
  return check === 0
}

function cpfDigit(digits: string): number {
  const sum = [...digits].reduce((total, digit, at) => total + Number(digit) * (digits.length + 1 - at), 0)
  const rest = sum % 11
  return rest < 2 ? 0 : 11 - rest
}

function cnpjDigit(digits: string): number {
  const weights = [6, 5, 4, 3, 2, 9, 8, 7, 6, 5, 4, 3, 2].slice(13 - digits.length)
  const rest = weighted(digits, weights) % 11
  return rest < 2 ? 0 : 11 - rest
}

const CODICE_ODD = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
]
const CURP_ALPHABET = '0123456789ABCDEFGHIJKLM N OPQRSTUVWXYZ'.replace('M N O', 'MN*O')

export const NATIONAL_IDS: Generators = {
  SSN: {
    keys: ['ssn', 'socialSecurityNumber'],
    alone: true,
    kind: 'name',
    truth: (r) =>
      `${until(() => (r.isLucky(0.9) ? padded(r.int(1, 665), 3) : padded(r.int(667, 899), 3)))}-${padded(r.int(1, 99), 2)}-${padded(r.int(1, 9999), 4)}`,
  },
  US_ITIN: {
    keys: ['itin', 'taxpayerNumber'],
    alone: true,
    kind: 'name',
    truth: (r) => `9${r.digits(2)}-${r.int(70, 88)}-${r.digits(4)}`,
  },
  US_EIN: {
    keys: ['ein', 'federalTaxId'],
    kind: 'name',
    truth: (r) => `${r.pick(['12', '20', '36', '47', '81', '95'])}-${r.digits(7)}`,
  },
  UK_NINO: {
    keys: ['nino', 'nationalInsuranceNumber'],
    alone: true,
    kind: 'name',
    truth: (r) =>
      `${r.text('ABCEHJLMPRSTWXYZ', 1)}${r.text('ABCEHJLMPRSTWXYZ', 1)}${r.digits(6)}${r.text('ABCD', 1)}`,
  },
  UK_NHS_NUMBER: {
    keys: ['nhsNumber', 'nhs_no'],
    kind: 'check',
    truth: (r) =>
      until(() => withDigit(r.number(9), (n) => weighted(n, [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0)),
  },
  CA_SIN: {
    keys: ['sin', 'socialInsuranceNumber'],
    kind: 'check',
    truth(r) {
      const body = r.pick(['1', '2', '4', '5', '6', '7', '9']) + r.digits(7)
      const whole = body + luhnDigit(body)
      return r.isLucky(0.5) ? whole : `${whole.slice(0, 3)}-${whole.slice(3, 6)}-${whole.slice(6)}`
    },
  },
  IN_AADHAAR: {
    keys: ['aadhaar', 'aadhaarNumber'],
    kind: 'check',
    truth(r) {
      const whole = until(() =>
        withDigit(r.pick(['2', '3', '5', '8', '9']) + r.digits(10), isVerhoeffByTable),
      )
      return r.isLucky(0.5) ? whole : `${whole.slice(0, 4)} ${whole.slice(4, 8)} ${whole.slice(8)}`
    },
  },
  IN_PAN: {
    keys: ['panNumber', 'panCard'],
    alone: true,
    kind: 'name',
    truth: (r) =>
      `${r.text(UPPER, 3)}${r.text('PCHFATBLJG', 1)}${r.text(UPPER, 1)}${r.digits(4)}${r.text(UPPER, 1)}`,
  },
  IN_ABHA: {
    keys: ['abha', 'healthId'],
    kind: 'name',
    truth: (r) => `${r.int(10, 99)}-${r.digits(4)}-${r.digits(4)}-${r.digits(4)}`,
  },
  BR_CPF: {
    keys: ['cpf', 'numeroCpf'],
    kind: 'check',
    truth(r) {
      const body = r.digits(9)
      const first = cpfDigit(body)
      const whole = `${body}${first}${cpfDigit(`${body}${first}`)}`
      return r.isLucky(0.5)
        ? whole
        : `${whole.slice(0, 3)}.${whole.slice(3, 6)}.${whole.slice(6, 9)}-${whole.slice(9)}`
    },
  },
  BR_CNPJ: {
    keys: ['cnpj'],
    kind: 'check',
    truth(r) {
      const body = `${r.digits(8)}000${r.int(1, 9)}`
      const first = cnpjDigit(body)
      const whole = `${body}${first}${cnpjDigit(`${body}${first}`)}`
      return r.isLucky(0.5)
        ? whole
        : `${whole.slice(0, 2)}.${whole.slice(2, 5)}.${whole.slice(5, 8)}/${whole.slice(8, 12)}-${whole.slice(12)}`
    },
  },
  FR_NIR: {
    keys: ['nir', 'numeroSecuriteSociale'],
    alone: true,
    kind: 'check',
    truth(r) {
      const body = `${r.pick(['1', '2'])}${r.digits(2)}${padded(r.int(1, 12), 2)}${padded(r.int(1, 95), 2)}${r.digits(6)}`
      return body + padded(97 - Number(BigInt(body) % 97n), 2)
    },
  },
  DE_TAX_ID: {
    keys: ['steuerId', 'steueridentifikationsnummer'],
    kind: 'check',
    truth: (r) =>
      until(() => {
        const pool = [...'0123456789'].sort(() => r.next() - 0.5).slice(0, 9)
        pool.splice(r.int(0, 8), 0, pool[r.int(0, 8)]!)
        const body = pool.join('')
        if (body[0] === '0') return undefined
        let product = 10
        for (const digit of body) product = (((Number(digit) + product) % 10 || 10) * 2) % 11
        return body + String((11 - product) % 10)
      }),
  },
  DE_SOCIAL_INSURANCE: {
    keys: ['sozialversicherungsnummer', 'rvnr'],
    alone: true,
    kind: 'check',
    truth(r) {
      const letter = r.text(UPPER, 1)
      const body = `${r.int(10, 89)}${ddmmyy(r)}${letter}${r.digits(2)}`
      const digits = body.slice(0, 8) + padded(letter.charCodeAt(0) - 64, 2) + body.slice(9)
      const sum = [2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1].reduce((total, weight, at) => {
        const product = weight * Number(digits[at])
        return total + Math.floor(product / 10) + (product % 10)
      }, 0)
      return body + String(sum % 10)
    },
  },
  ES_DNI: {
    keys: ['dni', 'nif'],
    alone: true,
    kind: 'check',
    truth(r) {
      const letter = (number: number): string => 'TRWAGMYFPDXBNJZSQVHLCKE'[number % 23]!
      if (r.isLucky(0.7)) {
        const number = r.number(8)
        return number + letter(Number(number))
      }
      const [prefix, rest] = [r.int(0, 2), r.digits(7)]
      return `${'XYZ'[prefix]}${rest}${letter(Number(`${prefix}${rest}`))}`
    },
  },
  IT_CODICE_FISCALE: {
    keys: ['codiceFiscale'],
    alone: true,
    kind: 'check',
    truth(r) {
      const body = `${r.text('BCDFGLMNPRSTVZ', 6)}${r.digits(2)}${r.text('ABCDEHLMPRST', 1)}${padded(r.int(1, 28), 2)}${r.text('ABCDEFGHIL', 1)}${r.digits(3)}`
      let sum = 0
      for (let i = 0; i < 15; i++) {
        const code = body.charCodeAt(i)
        const value = code <= 57 ? code - 48 : code - 65
        sum += i % 2 === 0 ? CODICE_ODD[value]! : value
      }
      return body + UPPER[sum % 26]
    },
  },
  PL_PESEL: {
    keys: ['pesel', 'nrPesel'],
    kind: 'check',
    truth: (r) =>
      until(() =>
        withDigit(yymmdd(r) + r.digits(4), (n) => weighted(n, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0),
      ),
  },
  NL_BSN: {
    keys: ['bsn', 'burgerservicenummer'],
    kind: 'check',
    truth: (r) =>
      until(() => withDigit(r.number(8), (n) => weighted(n, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0)),
  },
  SE_PERSONNUMMER: {
    keys: ['personnummer', 'personalNumber'],
    alone: true,
    kind: 'check',
    truth(r) {
      const [date, serial] = [yymmdd(r), r.digits(3)]
      return `${date}-${serial}${luhnDigit(date + serial)}`
    },
  },
  FI_HETU: {
    keys: ['hetu', 'henkilotunnus'],
    alone: true,
    kind: 'check',
    truth(r) {
      const [date, serial] = [ddmmyy(r), padded(r.int(2, 899), 3)]
      return `${date}-${serial}${'0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(date + serial) % 31]}`
    },
  },
  AU_TFN: {
    keys: ['tfn', 'taxFileNumber'],
    kind: 'check',
    truth: (r) =>
      until(() => withDigit(r.number(8), (n) => weighted(n, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0)),
  },
  AU_MEDICARE: {
    keys: ['medicareNumber', 'medicareCard'],
    kind: 'check',
    checkAt: 8,
    truth: (r) =>
      until(() => {
        const body = r.pick(['2', '3', '4', '5', '6']) + r.digits(7)
        return `${body}${weighted(body, [1, 3, 7, 9, 1, 3, 7, 9]) % 10}${r.int(1, 9)}`
      }),
  },
  SG_NRIC: {
    keys: ['nric', 'fin'],
    alone: true,
    kind: 'check',
    truth(r) {
      const [kind, digits] = [r.pick(['S', 'T', 'F', 'G']), r.digits(7)]
      const rest = (weighted(digits, [2, 7, 6, 5, 4, 3, 2]) + (kind === 'T' || kind === 'G' ? 4 : 0)) % 11
      return kind + digits + (kind === 'S' || kind === 'T' ? 'JZIHGFEDCBA' : 'XWUTRQPNMLK')[rest]
    },
  },
  KR_RRN: {
    keys: ['rrn', 'residentRegistrationNumber'],
    alone: true,
    kind: 'check',
    truth(r) {
      const body = `${yymmdd(r)}${r.int(1, 2)}${r.digits(5)}`
      const check = (11 - (weighted(body, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11)) % 10
      return `${body.slice(0, 6)}-${body.slice(6)}${check}`
    },
  },
  CN_RESIDENT_ID: {
    keys: ['idCard', 'identityCard'],
    alone: true,
    kind: 'check',
    truth(r) {
      const { year, month, day } = r.date(1940, 2010)
      const body = `${r.pick(['11', '31', '44', '51'])}${padded(r.int(100, 9900), 4)}${year}${padded(month, 2)}${padded(day, 2)}${r.digits(3)}`
      const sum = weighted(body, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2])
      return body + '10X98765432'[sum % 11]
    },
  },
  ZA_ID: {
    keys: ['idNumber', 'southAfricanId'],
    alone: true,
    kind: 'check',
    truth(r) {
      const body = `${yymmdd(r)}${r.digits(4)}${r.int(0, 1)}${r.pick(['8', '9'])}`
      return body + luhnDigit(body)
    },
  },
  MX_CURP: {
    keys: ['curp'],
    alone: true,
    kind: 'check',
    truth(r) {
      const body = `${r.text('BCDFGHLMPR', 1)}${r.text('AEIOU', 1)}${r.text('BCDFGHLMPR', 2)}${yymmdd(r)}${r.pick(['H', 'M'])}${r.pick(['DF', 'JC', 'NL', 'VZ'])}${r.text('BCDFGLMNPRST', 3)}${r.digits(1)}`
      const sum = [...body].reduce(
        (total, character, at) => total + CURP_ALPHABET.indexOf(character) * (18 - at),
        0,
      )
      return body + String((10 - (sum % 10)) % 10)
    },
  },
  JP_MY_NUMBER: {
    keys: ['myNumber', 'individualNumber'],
    kind: 'check',
    truth(r) {
      const body = r.number(11)
      const rest = weighted(body, [6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11
      return body + String(rest <= 1 ? 0 : 11 - rest)
    },
  },
}
