/**
 * The scorecard: the whole library on the weak and on the sound market, through the interface of a real server.
 *
 *   node bench/scorecard/run.ts [--write]
 *
 * `--write` puts the text into bench/scorecard/scorecard.txt, against which the tests compare.
 */
import { writeFileSync } from 'node:fs'
import { startTestServer } from '../../test/harness.ts'
import { scorecardText, scoreMarket } from '../../test/scorecard/score-market.ts'
import { vigilOf } from '../../test/scorecard/vigil-of.ts'

const server = await startTestServer()
try {
  const weak = await scoreMarket(vigilOf(server), 'all')
  const sound = await scoreMarket(vigilOf(server), 'none')
  const text = scorecardText(weak, sound)
  console.log(text)
  for (const [name, score] of [
    ['weak', weak],
    ['sound', sound],
  ] as const) {
    console.log(
      `${name}: ${score.tests} tests on ${score.endpoints} endpoints, ${score.outcomes['all']} results, ${score.state} after ${score.seconds.toFixed(1)} s`,
    )
  }
  if (process.argv.includes('--write')) writeFileSync(new URL('scorecard.txt', import.meta.url), text)
  process.exitCode = weak.missed.length === 0 && sound.found.size + sound.others.length === 0 ? 0 : 1
} finally {
  await server.close()
}
