/**
 * What the shipped filters find among labelled requests, per set, class and technique of evasion, and what they flag of
 * ordinary traffic.
 *
 *   node bench/threat/quality.ts [--write] [--wrong] [file of requests, gzip-compressed JSON lines]
 *
 * `--write` puts the text into bench/threat/quality.txt, against which the tests compare; `--wrong` lists the requests
 * that were judged wrongly.
 */
import { writeFileSync } from 'node:fs'
import { filterScoreText, scoreFilters } from '../../test/threat/score-filters.ts'
import { compiled, filterTexts } from './filters.ts'
import { labelledRequests } from './messages.ts'

const file = process.argv.slice(2).find((argument) => !argument.startsWith('--'))
const score = scoreFilters(filterTexts().map(compiled), labelledRequests(file))
const text = filterScoreText(score)
console.log(text)
for (const hit of score.grave) console.log(`grave: ${hit}`)
if (process.argv.includes('--wrong')) for (const name of score.wrong) console.log(`wrong: ${name}`)
if (process.argv.includes('--write')) writeFileSync(new URL('quality.txt', import.meta.url), text)
