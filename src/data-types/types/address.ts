import { dataType } from '../data-type.ts'
import { ANY, AT } from '../value-signature.ts'

/** Words for streets in a dozen languages; one of them stands for the house number that is missing. */
const STREET =
  /(?:^|[\s,.])(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|boulevard|blvd|court|square|highway|way|rue|place|allee|calle|avenida|plaza|via|viale|piazza|rua|travessa|laan|ulica|ul|aleja|vagen|gatan|veien|katu|tie)(?=$|[\s,.\d])|(?:stra(?:ss|ß)e|str\.|weg|platz|gasse|straat|gracht|gatan|vägen|katu)/i
const POST_BOX = /^(?:p\.?\s?o\.?\s?box|postfach|apartado|bo[iî]te postale)\s*\d+/i

export default dataType({
  name: 'ADDRESS',
  summary: 'A postal address or street line, under a telling key.',
  category: 'PERSON',
  severity: 'LOW',
  sensitiveIn: 'ALWAYS',
  evidence: 'NAME',
  mayMatch: { length: [6, 250], chars: ANY & ~AT },
  keys: [
    'address',
    'addr',
    'address line',
    'street',
    'street address',
    'street line',
    'postal address',
    'home address',
    'billing address',
    'shipping address',
    'delivery address',
    'residence',
    'strasse',
    'anschrift',
    'adresse',
    'rue',
    'direccion',
    'calle',
    'domicilio',
    'indirizzo',
    'endereco',
    'rua',
    'adres',
    'straat',
    'ulica',
    'gatuadress',
    'osoite',
  ],
  needsKey: true,
  verify(value) {
    if (value.includes('://') || !/\p{L}{2}/u.test(value)) return 0
    if (POST_BOX.test(value)) return 85
    const hasNumber = /(?:^|[\s,.])\d{1,5}\s?[A-Za-z]?(?=$|[\s,./-])/.test(value)
    const hasBlank = /\p{L}\s|\d\s/u.test(value)
    if (STREET.test(value)) return hasNumber ? 92 : hasBlank ? 70 : 62
    return hasNumber && hasBlank ? 78 : 0
  },
  cases: [
    { value: '12 Baker Street, London', key: 'address', expect: true, because: 'number and street' },
    { value: 'Hauptstraße 7', key: 'street', expect: true, because: 'number after the street' },
    { value: 'P.O. Box 4711', key: 'addressLine1', expect: true, because: 'a post box' },
    {
      value: 'Calle de Alcalá 50',
      parentKey: 'address',
      key: 'value',
      expect: true,
      because: 'the parent names it',
    },
    { value: '10.0.0.1', key: 'address', expect: false, because: 'a network address' },
    { value: 'ann@shop.test', key: 'address', expect: false, because: 'an e-mail address' },
    {
      value: '12 Baker Street, London',
      key: 'title',
      expect: false,
      because: 'nothing says that it is an address',
    },
    { value: '0x7f3a9c', key: 'address', expect: false, because: 'a memory address' },
  ],
})
