import { expect, test } from 'vitest'
import { until } from '../../test/until.ts'
import { watchEventLoop } from './event-loop-delay.ts'

function holdUpEventLoop(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

test('the longest delay is shown to every reader, and forgotten after two periods', async () => {
  const read = watchEventLoop(1_000)
  // Delays are measured between ticks, so there has to be one before.
  await until('the event loop is measured', () => read() > 0)
  holdUpEventLoop(600)
  await until('the delay is seen', () => read() >= 0.45)
  expect(read()).toBeGreaterThanOrEqual(0.45)
  await until('it is forgotten', () => read() < 0.45)
})
