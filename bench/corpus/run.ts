/**
 * Loads every template of a library, builds its attempts for made-up samples, and runs the active ones against local
 * servers: how much of a public library the engine understands. Prints counts, and each refusal with its reasons.
 *
 *   node bench/corpus/run.ts <folder or Git directory> [branch,branch…]
 */
import { EMPTY_LOOKUPS, evaluate, MessageView, Variables } from '../../src/rules/index.ts'
import type { AttemptEnvironment, Template } from '../../src/testing/index.ts'
import {
  buildAttempts,
  createSigningKeys,
  draftOf,
  OWN_FILES,
  outgoingRequest,
  parseTemplate,
  provideDynamicLists,
  resolveWordLists,
} from '../../src/testing/index.ts'
import { executeAll, isUnheard } from './execute.ts'
import { readCorpus } from './read-corpus.ts'
import { SAMPLES } from './samples.ts'

const [source, branches = 'HEAD'] = process.argv.slice(2)
if (source === undefined) {
  console.error('usage: node bench/corpus/run.ts <folder or Git directory> [branch,branch…]')
  process.exit(2)
}

const keys = createSigningKeys('https://vigil.test/jwks.json')
const files = readCorpus(source, branches.split(','))
const loaded: { path: string; template: Template }[] = []
const refused: { path: string; reasons: string[] }[] = []
let others = 0
const start = process.cpuUsage()
for (const { path, text } of files) {
  const { template, problems } = parseTemplate(text, path)
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (template !== null) loaded.push({ path, template })
  else if (errors.some(({ message }) => message.startsWith('This is a filter'))) others++
  else
    refused.push({
      path,
      reasons: errors.map(
        ({ message, place, nearest }) =>
          `${place.line}:${place.column} ${place.path}: ${message}${nearest === null ? '' : ` (${nearest}?)`}`,
      ),
    })
}
const parsed = process.cpuUsage(start)
console.log(
  `${files.length} files, ${others} filters of live traffic, ${loaded.length + refused.length} templates`,
)
console.log(`${loaded.length} loaded, ${refused.length} refused, ${Math.round(parsed.user / 1000)} ms CPU`)
for (const { path, reasons } of refused) console.log(`  ${path}\n    ${reasons.slice(0, 3).join('\n    ')}`)
printNeeds()
for (const [name, sample] of SAMPLES) planAll(name, sample)
await executeActive()

function printNeeds(): void {
  const counts = new Map<string, number>()
  for (const { template } of loaded)
    for (const need of template.needs) {
      const word = need.kind === 'role' ? `role ${need.role}` : need.kind
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  console.log('needs:')
  for (const [need, count] of [...counts].sort((a, b) => b[1] - a[1])) console.log(`  ${need}: ${count}`)
}

/** Builds the attempts of every step, also where the selection does not hold. */
function planAll(
  name: string,
  sample: typeof SAMPLES extends ReadonlyMap<string, infer E> ? E : never,
): void {
  let selected = 0
  let attempts = 0
  let steps = 0
  const failures = new Map<string, number>()
  const exceptions: string[] = []
  const before = process.cpuUsage()
  for (const { path, template } of loaded) {
    try {
      const source = { own: sample, ofCollection: () => SAMPLES.values() }
      const variables = new Variables(resolveWordLists(template.wordLists, source))
      const view = new MessageView(sample)
      const scene = {
        endpoint: { collectionId: 1, url: sample.request.target, method: sample.request.method },
      }
      const judgement = evaluate(template.filters, {
        ...scene,
        ...{ phase: 'filter', sample: view, attempt: null, variables, lookups: EMPTY_LOOKUPS },
      })
      if (judgement.holds) selected++
      provideDynamicLists(template.wordLists, source, variables)
      for (const step of template.execute.steps) {
        steps++
        for (const attempt of buildAttempts(step, draftOf(sample), environmentOf(variables))) {
          if ('failure' in attempt) failures.set(attempt.failure, (failures.get(attempt.failure) ?? 0) + 1)
          else {
            outgoingRequest(attempt.draft)
            attempts++
          }
        }
      }
    } catch (error) {
      exceptions.push(`${path}: ${error instanceof Error ? error.stack : String(error)}`)
    }
  }
  const { user } = process.cpuUsage(before)
  console.log(
    `${name}: ${selected} selected, ${steps} steps, ${attempts} attempts, ${Math.round(user / 1000)} ms CPU`,
  )
  for (const [failure, count] of [...failures].sort((a, b) => b[1] - a[1]).slice(0, 12))
    console.log(`  ${count} × ${failure}`)
  for (const exception of exceptions.slice(0, 10)) console.log(`  exception ${exception}`)
}

function environmentOf(variables: Variables): AttemptEnvironment {
  let ids = 0
  return {
    variables,
    credentials: {
      authHeaderNames: ['authorization'],
      authTypeKeys: { headers: ['authorization', 'session'], bodyKeys: [] },
      parametersOf: () => [{ where: 'HEADER', key: 'authorization', value: 'Bearer other' }],
      attackerRole: 'ATTACKER_TOKEN_ALL',
    },
    callback: {
      register: () => ({ id: `id${++ids}`, url: `http://callback.test/id${ids}` }),
      hits: () => 0,
    },
    keys,
    nowSeconds: () => 1_700_000_000,
    files: OWN_FILES,
    ownParents: () => [],
  }
}

/** Runs what is active and needs no language model and no agent, and prints what was not executed. */
async function executeActive(): Promise<void> {
  const active = loaded.filter(({ template }) => template.inactive !== true)
  const isOutside = ({ template }: { template: Template }): boolean =>
    template.needs.some(
      ({ kind }) => kind === 'model' || kind === 'agent' || kind === 'language model target',
    )
  const wanted = active.filter((one) => !isOutside(one)).map(({ template }) => template)
  const before = performance.now()
  const done = await executeAll(wanted)
  const planned = done.filter(({ lacking }) => lacking === null)
  const sent = planned.filter(({ result }) => result!.attempts.length > 0)
  console.log(
    `${active.length} active, ${active.length - wanted.length} need a language model or an agent, ${wanted.length} others:`,
  )
  console.log(
    `  ${planned.length} planned, ${sent.length} executed (${sent.filter(({ isSelected }) => isSelected).length} where their selection holds), ${Math.round((performance.now() - before) / 1000)} s`,
  )
  const unheard = planned.filter(({ result }) => isUnheard(result!))
  console.log(`  ${unheard.length} sent to ports that nothing listens on here`)
  const outcomes = new Map<string, number>()
  for (const { result } of sent) outcomes.set(result!.outcome, (outcomes.get(result!.outcome) ?? 0) + 1)
  console.log(`  ${[...outcomes].map(([outcome, count]) => `${outcome} ${count}`).join(', ')}`)
  for (const one of done.filter((each) => !sent.includes(each)))
    console.log(
      `  ${one.template.id}: ${one.lacking ?? `${one.result!.outcome}: ${one.result!.explanation}`}`,
    )
}
