import type { ModificationDefinition } from '../modifications/modification.ts'
import { isMap, textAt } from '../modifications/values.ts'
import type { ExecutePlan, Literal, Operation, Step, WordListSpec } from './template.ts'

/** Word list of templates that name no host: its words hold the id in single braces. */
const WEBHOOK_LIST = 'url_webhook'

/**
 * Templates write the callback address with the host that they know. It is the host that `send_ssrf_req` registers at;
 * every address of it that carries `${random_uuid}` becomes the address of the listener of this installation.
 */
export function mapCallbackHost(
  execute: ExecutePlan,
  wordLists: readonly WordListSpec[],
  registration: ModificationDefinition,
): { execute: ExecutePlan; wordLists: readonly WordListSpec[] } {
  const webhook = wordLists.find((list) => list.name === WEBHOOK_LIST && list.kind === 'words')
  const isWebhook = webhook?.kind === 'words' && webhook.words.some((word) => word.includes('{random_uuid}'))
  const hosts = new Set(
    execute.steps.flatMap((step) =>
      step.operations.flatMap((entry) =>
        (entry.kind === 'loop' ? entry.operations : [entry]).flatMap(registrationHost),
      ),
    ),
  )
  if (hosts.size === 0 && !isWebhook) return { execute, wordLists }
  const map = (text: string): string => [...hosts].reduce(withListener, text)
  return {
    execute: {
      ...execute,
      steps: execute.steps.map((step) => mappedStep(step, map, isWebhook ? registration : null)),
    },
    wordLists: wordLists.map((list) => {
      if (list.kind !== 'words') return list
      if (isWebhook && list === webhook) return { ...list, words: ['${callback_url}'] }
      return { ...list, words: list.words.map(map) }
    }),
  }
}

function registrationHost(operation: Operation): string[] {
  if (operation.name !== 'send_ssrf_req' || !isMap(operation.key)) return []
  const host = /^[a-z]+:\/\/([^/?#]+)/i.exec(textAt(operation.key, 'url') ?? '')?.[1]
  return host === undefined ? [] : [host]
}

function withListener(text: string, host: string): string {
  const address = `${host}/\${random_uuid}`
  if (!text.includes(address)) return text
  return text
    .replaceAll(`https://${address}`, () => '${callback_url}')
    .replaceAll(`http://${address}`, () => '${callback_url}')
    .replaceAll(address, () => '${callback_address}')
}

function mappedStep(
  step: Step,
  map: (text: string) => string,
  registration: ModificationDefinition | null,
): Step {
  const edit = (operation: Operation): Operation =>
    operation.name === 'send_ssrf_req'
      ? operation
      : {
          ...operation,
          key: mapped(operation.key, map),
          value: operation.value === undefined ? undefined : mapped(operation.value, map),
        }
  const operations = step.operations.map((entry) =>
    entry.kind === 'loop' ? { ...entry, operations: entry.operations.map(edit) } : edit(entry),
  )
  const isRegistered = step.operations.some(
    (entry) => entry.kind === 'operation' && entry.name === 'send_ssrf_req',
  )
  if (registration === null || isRegistered || operations.length === 0) return { ...step, operations }
  const { place } = step
  const added = {
    kind: 'operation',
    name: 'send_ssrf_req',
    modification: registration,
    key: true,
    value: undefined,
    place,
  } as const
  return { ...step, operations: [added, ...operations] }
}

function mapped(value: Literal, map: (text: string) => string): Literal {
  if (typeof value === 'string') return map(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: Literal) => mapped(item, map))
  const copy = Object.create(null) as Record<string, Literal>
  for (const [key, inner] of Object.entries(value)) copy[key] = mapped(inner, map)
  return copy
}
