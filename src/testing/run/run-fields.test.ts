import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { attemptEnvironment } from '../../../test/attempt-environment.ts'
import { rawSample } from '../../../test/raw-sample.ts'
import type { Exchange } from '../../http/index.ts'
import { EMPTY_LOOKUPS } from '../../rules/index.ts'
import { parseTemplate, type Template } from '../template/index.ts'
import { LooseStores } from './loose-stores.ts'
import { runPair } from './run-pair.ts'
import type { RunTools } from './tools.ts'

function testOf(id: string): Template {
  const file = new URL(`../../../templates/tests/mass-assignment/${id}.yaml`, import.meta.url)
  return parseTemplate(readFileSync(file, 'utf8'), `${id}.yaml`).template!
}

const ORIGIN = 'http://127.0.0.1:3000'

/** An application that makes users and answers with those of their fields that it keeps. */
function usersThatKeep(keeps: (field: string) => boolean) {
  const sent: string[] = []
  const made = (path: string, text: string): Exchange => {
    const sample = rawSample(`POST ${ORIGIN}${path} HTTP/1.1\ncontent-type: application/json\n\n${text}`)
    const fields = Object.entries(JSON.parse(text) as Record<string, unknown>)
    const body = JSON.stringify({ id: 7, ...Object.fromEntries(fields.filter(([name]) => keeps(name))) })
    return {
      ...sample,
      response: { ...sample.response, status: 201, headers: ['content-type', 'application/json'], body },
    }
  }
  const looseStores = new LooseStores()
  const run = async (id: string, path: string): Promise<string> => {
    sent.splice(0)
    const tools: Partial<RunTools> = {
      send({ body }) {
        sent.push(...Object.keys(JSON.parse(body.text) as object).filter((name) => name !== 'email'))
        return Promise.resolve({ exchange: made(path, body.text), responseTimeMs: 1, isTruncated: false })
      },
      environmentFor: (_template, _endpoint, variables) => attemptEnvironment(variables),
      wordsFor: () => new Map(),
      provideCaptured: () => {},
      sampleOf: () => made(path, '{"email":"olga@shop.test"}'),
      freshAnswer: () => Promise.resolve(null),
      unchangedAnswer: () => Promise.resolve(null),
      isDefaultPage: () => false,
      lookups: EMPTY_LOOKUPS,
      isLooseStore: (endpoint) => looseStores.has(endpoint),
      noteLooseStore: (endpoint) => looseStores.add(endpoint),
      nowMs: () => 0,
      callbackPatienceMs: 0,
      templateOf: () => null,
    }
    const endpoint = { collectionId: 1, method: 'POST', url: ORIGIN + path }
    return (await runPair(testOf(id), endpoint, tools as RunTools)).outcome
  }
  return { run, sent }
}

test('where fields of any name are kept, one test finds it out, and others send no names that were never seen', async () => {
  const { run, sent } = usersThatKeep(() => true)
  expect(await run('MASS_ASSIGNMENT_ADMIN_FLAG', '/users')).not.toBe('VULNERABLE')
  expect(new Set(sent)).toEqual(new Set(['isAdmin', 'vigilFlag484811']))
  expect(await run('MASS_ASSIGNMENT_ROLE', '/users')).toBe('SKIPPING_EXECUTION_BECAUSE_FILTERS')
  expect(sent).toEqual([])
  await run('MASS_ASSIGNMENT_ROLE', '/customers')
  expect(sent).toContain('role')
})

test('where only some fields are kept, each test sends its own', async () => {
  const { run } = usersThatKeep((name) => ['email', 'role'].includes(name))
  expect(await run('MASS_ASSIGNMENT_ADMIN_FLAG', '/users')).not.toBe('VULNERABLE')
  expect(await run('MASS_ASSIGNMENT_ROLE', '/users')).toBe('VULNERABLE')
})
