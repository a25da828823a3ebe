import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join, relative } from 'node:path'
import { type Expression, type Program, parse } from 'acorn'
import { simple } from 'acorn-walk'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestStore } from '../../test/store-fixture.ts'

const SOURCE = new URL('..', import.meta.url).pathname
const PREPARABLE = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/

/** Views that a transaction makes for itself. */
const TEMPORARY = ['gone AS SELECT * FROM threat_events']

interface Statement {
  place: string
  sql: string
}

type Constants = ReadonlyMap<string, Expression>

/** The text of a string, or of a template whose parts are constants of the same file; null when it is made at run time. */
function textOf(node: Expression, constants: Constants): string | null {
  if (node.type === 'Literal')
    return ['string', 'number'].includes(typeof node.value) ? String(node.value) : null
  if (node.type === 'Identifier') {
    const value = constants.get(node.name)
    return value === undefined ? null : textOf(value, constants)
  }
  if (node.type !== 'TemplateLiteral') return null
  const parts = node.expressions.map((part) => textOf(part, constants))
  if (parts.includes(null)) return null
  return node.quasis.map(({ value }, i) => (value.cooked ?? '') + (parts[i] ?? '')).join('')
}

/** Constants of a module outside of functions, by name. */
function constantsOf({ body }: Program): Constants {
  const declared = body.flatMap((node) => {
    const declaration = node.type === 'ExportNamedDeclaration' ? node.declaration : node
    return declaration?.type === 'VariableDeclaration' ? declaration.declarations : []
  })
  return new Map(
    declared.flatMap(({ id, init }) => (id.type === 'Identifier' && init ? [[id.name, init] as const] : [])),
  )
}

/** What a file hands to `query` and is known without running it. */
function statementsOf(path: string): Statement[] {
  const program = parse(stripTypeScriptTypes(readFileSync(path, 'utf8')), {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
  })
  const constants = constantsOf(program)
  const found: Statement[] = []
  simple(program, {
    CallExpression({ callee, arguments: [first], loc }) {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      if (callee.property.name !== 'query' || !first || first.type === 'SpreadElement') return
      const sql = textOf(first, constants)
      if (sql !== null && PREPARABLE.test(sql))
        found.push({ place: `${relative(SOURCE, path)}:${loc?.start.line}`, sql })
    },
  })
  return found
}

let opened: Awaited<ReturnType<typeof openTestStore>>
beforeAll(async () => {
  opened = await openTestStore()
})
afterAll(() => opened.close())

/** What the store says about statements that do not fit its schema, with their places. */
async function misfits(statements: readonly Statement[]): Promise<string[]> {
  const client = await opened.store.pool.connect()
  try {
    const problems: string[] = []
    for (const view of TEMPORARY) await client.query(`CREATE OR REPLACE TEMPORARY VIEW ${view}`)
    for (const { place, sql } of statements) {
      try {
        await client.query(`PREPARE checked AS ${sql}`)
        await client.query('DEALLOCATE checked')
      } catch (error) {
        problems.push(`${place}: ${(error as Error).message}`)
      }
    }
    return problems
  } finally {
    client.release()
  }
}

test('every fixed SQL statement fits the schema', async () => {
  const statements = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/migrations\/|assembly\//.test(file),
    )
    .flatMap((file) => statementsOf(join(SOURCE, file)))
  expect(await misfits(statements)).toEqual([])
  expect(statements.length).toBeGreaterThan(300)
})

test('a statement with an unknown column is reported with its place', async () => {
  const [problem] = await misfits([{ place: 'here.ts:1', sql: 'SELECT name, nmae FROM collections' }])
  expect(problem).toMatch(/^here\.ts:1: column "nmae" does not exist/)
})
