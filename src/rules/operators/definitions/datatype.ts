import { operator } from '../operator.ts'

export default operator({
  name: 'datatype',
  summary:
    'Of a type: string, number (32-bit integer), boolean, or a data type of the inventory by its name.',
  operands: 'scalars',
  evaluate: (datum, operands, place) => {
    const type = String(operands[0]).replace(/\.(?:key|value)$/, '')
    if (type === 'string') return typeof datum === 'string'
    if (type === 'boolean') return typeof datum === 'boolean'
    if (type === 'number')
      return typeof datum === 'number' && Number.isInteger(datum) && Math.abs(datum) < 2 ** 31
    return place.lookups.matchesDataType(type.replaceAll(' ', '_'), place.key, datum)
  },
  cases: [
    { datum: 'x', operands: ['string'], expect: true },
    { datum: 5, operands: ['number'], expect: true },
    { datum: 5.5, operands: ['number'], expect: false },
    { datum: 'true', operands: ['boolean'], expect: false },
  ],
})
