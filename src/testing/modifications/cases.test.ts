import { describe, expect, it } from 'vitest'
import { attemptEnvironment } from '../../../test/attempt-environment.ts'
import { rawOutgoing, rawSample } from '../../../test/raw-sample.ts'
import { Variables } from '../../rules/index.ts'
import { draftOf } from '../attempts/draft-of.ts'
import { outgoingRequest } from '../attempts/outgoing-request.ts'
import type { Literal } from '../template/template.ts'
import type { ModificationCase, ModificationDefinition } from './modification.ts'
import { MODIFICATIONS } from './registry.generated.ts'
import { isMap } from './values.ts'

describe.each(MODIFICATIONS.map((definition) => [definition.name, definition] as const))(
  '%s',
  (_, definition) => {
    it.each(definition.cases.map((example) => [example.title, example] as const))('%s', (_title, example) => {
      const expected = example.becomes === 'unchanged' ? example.request : example.becomes
      expect(outcomeOf(definition, example)).toEqual(expected)
    })
  },
)

function outcomeOf(
  definition: ModificationDefinition,
  example: ModificationCase,
): ModificationCase['becomes'] {
  const variables = new Variables()
  for (const [name, value] of Object.entries(example.variables ?? {})) variables.set(name, value)
  const draft = draftOf(rawSample(example.request))
  const [key, value] = pairOf(definition, example.argument)
  const result = definition.apply(draft, key, value, attemptEnvironment(variables))
  return typeof result === 'object' ? result : rawOutgoing(outgoingRequest(draft))
}

function pairOf(definition: ModificationDefinition, argument: Literal): [Literal, Literal | undefined] {
  const isForm = isMap(argument) && Object.keys(argument).some((key) => key in (definition.forms ?? {}))
  if (!isMap(argument) || isForm) return [argument, undefined]
  return Object.entries(argument)[0]!
}
