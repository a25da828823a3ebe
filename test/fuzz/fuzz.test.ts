import { expect, test } from 'vitest'
import { fuzz } from './fuzz.ts'
import { foundInputs, parsers } from './parsers.ts'

const PARSERS = parsers()

test.each(PARSERS)('$name reads what broke a parser once', ({ name, run }) => {
  for (const input of foundInputs(name)) expect(() => run(input)).not.toThrow()
})

test.each(PARSERS)('$name survives 30 changed inputs', async (parser) => {
  const { inputs, faults } = await fuzz(parser, { seed: 7, ms: 30_000, maxInputs: 30, maxBytes: 4096 })
  expect(faults).toEqual([])
  expect(inputs).toBe(30)
})

test.each(PARSERS)('$name survives changed inputs for a while', { tags: ['marathon'] }, async (parser) => {
  const { faults } = await fuzz(parser, { seed: 11, ms: 700 })
  expect(faults.map(({ reason, input }) => `${reason}\n${input.toString('base64')}`)).toEqual([])
})

function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

test('a fault, a slow input and a changed prototype are noticed', async () => {
  const parser = (run: () => string) => ({ name: 'x', samples: [Buffer.from('abc')], run })
  const options = { seed: 1, ms: 10_000, maxInputs: 5 }
  const thrown = await fuzz(
    parser(() => {
      throw new TypeError('broken')
    }),
    options,
  )
  expect(thrown.faults[0]!.reason).toMatch(/^seed 1, input 1: TypeError: broken/)
  const slow = await fuzz(
    parser(() => {
      for (const start = usedMs(); usedMs() < start + 1100; );
      return ''
    }),
    options,
  )
  expect(slow.faults[0]!.reason).toMatch(/: it took \d{4,} ms/)
  const polluting = await fuzz(
    parser(() => {
      Object.defineProperty(Object.prototype, 'polluted', { value: 1, configurable: true })
      return ''
    }),
    options,
  )
  Reflect.deleteProperty(Object.prototype, 'polluted')
  expect(polluting.faults[0]!.reason).toMatch(/prototype/)
})

test('memory that a parser keeps is noticed', async () => {
  let kept = 0
  const keeping = {
    name: 'x',
    samples: [Buffer.from('abc')],
    run: () => {
      kept += 1000
      return ''
    },
  }
  const options = { seed: 1, ms: 10_000, maxInputs: 100, usedBytes: () => kept }
  expect((await fuzz(keeping, options)).grownBytes).toBe(75_000)
  expect((await fuzz({ ...keeping, run: () => '' }, options)).grownBytes).toBe(0)
})
