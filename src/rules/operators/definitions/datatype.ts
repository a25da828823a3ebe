import { operator } from '../operator.ts'

export default operator({
  name: 'datatype',
  summary:
    'Of a type: string, number (32-bit integer), boolean, or a data type of the inventory by its name.',
  operands: 'scalars',
  phrases: { holds: 'is of type', fails: 'is not of type' },
  test: (operands) => {
    const type = String(operands[0]).replace(/\.(?:key|value)$/, '')
    if (type === 'string') return (datum) => typeof datum === 'string'
    if (type === 'boolean') return (datum) => typeof datum === 'boolean'
    if (type === 'number')
      return (datum) => typeof datum === 'number' && Number.isInteger(datum) && Math.abs(datum) < 2 ** 31
    const name = type.replaceAll(' ', '_')
    return (datum, place) => place.lookups.matchesDataType(name, place.key, datum)
  },
  cases: [
    { datum: 'x', operands: ['string'], expect: true },
    { datum: 5, operands: ['number'], expect: true },
    { datum: 5.5, operands: ['number'], expect: false },
    { datum: 'true', operands: ['boolean'], expect: false },
  ],
})
