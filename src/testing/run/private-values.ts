import type { Exchange } from '../../http/index.ts'
import { type Lookups, MessageView } from '../../rules/index.ts'

/** Names of values that people keep to themselves, also in what others may list; in several languages. */
const NAMES = new RegExp(
  [
    'secret|passw|token|salary|iban|credit_?card|card_?n(?:umber|o)|cvv|(?:^|_)pin$|balance|payment|account_?n(?:umber|o)',
    'ssn|passport|national_?id|tax_?(?:id|n(?:umber|o))|licen[cs]e_?n(?:umber|o)|(?:^|_)dob$|birth|medical|diagnos',
    'phone|address|mail|gehalt|konto|kennwort|geburt|adresse|telefon|steuer_?(?:id|n)|salaire|naissance|mot_?de_?passe',
    'direcci[o\u00f3]n|contrase|nacimiento|tel[e\u00e9]fono|sueldo|tarjeta|senha|endere[c\u00e7]o|nascimento|sal[a\u00e1]rio|indirizzo|nascita',
    '^(?:dni|nif|cpf|cnpj|nino|bsn|pesel|nhs|vat_?id)$',
  ].join('|'),
  'i',
)
/** Data types of such values. E-mail addresses and names of people are left out: they may be those of an author. */
const TYPES = [
  'CREDIT_CARD',
  'CARD_CVV',
  'IBAN',
  'BANK_ACCOUNT',
  'BIRTH_DATE',
  'SSN',
  'PASSPORT_NUMBER',
  'PASSPORT_MRZ',
  'DRIVING_LICENCE',
  'MEDICAL_RECORD_NUMBER',
  'PASSWORD',
  'PASSWORD_HASH',
  'PRIVATE_KEY',
  'SECRET',
  'JWT',
  'BR_CPF',
  'CN_RESIDENT_ID',
  'DE_TAX_ID',
  'ES_DNI',
  'FR_NIR',
  'IN_AADHAAR',
  'IT_CODICE_FISCALE',
  'NL_BSN',
  'PL_PESEL',
  'SE_PERSONNUMMER',
  'UK_NINO',
  'US_ITIN',
]

/** Whether a value is one that people keep to themselves. */
export function isPrivate(
  { key, value }: { readonly key: string; readonly value: unknown },
  lookups: Lookups,
): boolean {
  if (value === null || value === '') return false
  return NAMES.test(key) || TYPES.some((name) => lookups.matchesDataType(name, key, value))
}

/** Whether a response has such a value. One whose values cannot be read, such as a PDF, may have. */
export function hasPrivateValue(exchange: Exchange, lookups: Lookups): boolean {
  const { leaves } = new MessageView(exchange).responseBody
  if (leaves.length === 0) return !/^\s*(?:\[\s*\]|\{\s*\})\s*$/.test(exchange.response.body)
  return leaves.some((leaf) => isPrivate(leaf, lookups))
}
