import { dataType } from '../data-type.ts'
import { DASH, DIGIT, DOT, PLUS, PUNCTUATION, SPACE } from '../value-signature.ts'

const SHAPE = /^([+-]?\d{1,3}\.\d{4,15})(?:\s?[,;]\s?([+-]?\d{1,3}\.\d{4,15}))?$/

export default dataType({
  name: 'GEO_COORDINATE',
  summary: 'A latitude, a longitude or a pair of both with at least four decimals (about ten metres).',
  category: 'PERSON',
  severity: 'LOW',
  sensitiveIn: 'ALWAYS',
  evidence: 'NAME',
  mayMatch: {
    length: [6, 40],
    chars: DIGIT | DOT | DASH | PLUS | SPACE | PUNCTUATION,
    requires: DOT | DIGIT,
  },
  keys: [
    'lat',
    'latitude',
    'lng',
    'lon',
    'long',
    'longitude',
    'geo',
    'gps',
    'coordinate',
    'coordinates',
    'coords',
    'latlng',
    'lat lng',
    'location',
    'position',
    'breitengrad',
    'langengrad',
    'latitud',
    'longitud',
    'latitudine',
    'longitudine',
  ],
  needsKey: true,
  verify(value) {
    const parts = SHAPE.exec(value)
    if (parts === null) return 0
    if (parts[2] === undefined) return Math.abs(Number(parts[1])) <= 180 ? 85 : 0
    return Math.abs(Number(parts[1])) <= 90 && Math.abs(Number(parts[2])) <= 180 ? 95 : 0
  },
  cases: [
    { value: '48.858370', key: 'latitude', expect: true, because: 'six decimals' },
    { value: '48.8584, 2.2945', key: 'location', expect: true, because: 'a pair' },
    { value: '48.8', key: 'latitude', expect: false, because: 'one decimal is a region, not a place' },
    { value: '248.858370', key: 'longitude', expect: false, because: 'over 180 degrees' },
    { value: '48.858370', key: 'ratio', expect: false, because: 'nothing says that it is a place' },
  ],
})
