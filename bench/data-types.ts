/**
 * Cost of judging one value, in nanoseconds, for ordinary and for sensitive values.
 * Run: node bench/data-types.ts
 */
import { detectDataTypes } from '../src/data-types/index.ts'

/** CPU time of this process, so that other work on the machine weighs less than with a clock. */
function cpuNanoseconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) * 1000
}

interface Sample {
  readonly value: string
  readonly key: string
  readonly parentKey?: string
}

const ORDINARY: readonly Sample[] = [
  { value: 'success', key: 'status' },
  { value: '42', key: 'id', parentKey: 'data' },
  { value: 'Apple Juice (1000ml)', key: 'name' },
  { value: '4.99', key: 'price' },
  { value: '2023-03-09T14:50:29.996Z', key: 'createdAt' },
  { value: 'apple_juice.jpg', key: 'image' },
  { value: '1678373430123', key: 'timestamp' },
  { value: 'Q9ETXE3j6YApqTkyq', key: '_id' },
  { value: 'application/json', key: 'content-type' },
  { value: 'gzip, deflate', key: 'accept-encoding' },
  { value: 'customer', key: 'role', parentKey: 'user' },
  { value: 'EUR', key: 'currency' },
  { value: 'ORD-2023-000123', key: 'orderId' },
  { value: 'en-GB', key: 'locale' },
  { value: 'assets/public/images/uploads/default.svg', key: 'profileImage' },
  { value: 'Monkeys love it the most.', key: 'description' },
]

const SENSITIVE: readonly Sample[] = [
  { value: 'victim@gmail.com', key: 'email' },
  { value: '4111111111111111', key: 'cardNumber' },
  { value: '536-90-4399', key: 'ssn' },
  { value: 'DE89370400440532013000', key: 'iban' },
  { value: '203.0.113.9', key: 'lastLoginIp' },
  { value: '8b1f6b1e-6f0a-4f57-9a3c-0c1f4a6c2d11', key: 'uuid' },
  { value: 'https://shop.test/a?b=1', key: 'url' },
  { value: 'Ann Lee', key: 'fullName' },
  { value: '12 Baker Street, London', key: 'address' },
  { value: 'victim123', key: 'password' },
]

const PHONES: readonly Sample[] = [{ value: '+14155552671', key: 'phone' }]
const TOKENS: readonly Sample[] = [
  { value: `eyJhbGciOiJIUzI1NiJ9.eyJ${'a'.repeat(300)}.${'b'.repeat(43)}`, key: 'token' },
]
const TEXTS: readonly Sample[] = [
  {
    value: 'The all-time classic, fruity and fresh, from the orchards of the south. '.repeat(14),
    key: 'description',
  },
]

function nanosecondsPerValue(samples: readonly Sample[], rounds: number): number {
  let found = 0
  const run = (times: number): number => {
    const start = cpuNanoseconds()
    for (let round = 0; round < times; round++) {
      for (const { value, key, parentKey = '' } of samples) {
        found += detectDataTypes(value, { key, parentKey, location: 'RESPONSE_PAYLOAD' }).length
      }
    }
    return (cpuNanoseconds() - start) / (times * samples.length)
  }
  run(Math.ceil(rounds / 5))
  const result = Math.min(run(rounds), run(rounds), run(rounds))
  if (found < 0) throw new Error('unreachable; keeps the work from being optimised away')
  return result
}

const rows: readonly [string, readonly Sample[], number][] = [
  ['ordinary values', ORDINARY, 100_000],
  ['sensitive values', SENSITIVE, 50_000],
  ['phone numbers', PHONES, 50_000],
  ['tokens of 370 characters', TOKENS, 50_000],
  ['texts of 1,000 characters', TEXTS, 10_000],
]
for (const [label, samples, rounds] of rows) {
  console.log(`${label}: ${nanosecondsPerValue(samples, rounds).toFixed(0)} ns per value`)
}
