import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { operationList } from '../registry.ts'
import { routes } from '../routes.ts'
import { openApiDocument } from './openapi.ts'

type Tree = Record<string, unknown>

const openApi = openApiDocument()
const paths = openApi['paths'] as Record<string, Record<string, Tree>>
const schemas = (openApi['components'] as { schemas: Record<string, Tree> }).schemas

test('every operation and every route is in the document', () => {
  const wanted = [...operationList.map(({ name }) => `/api/${name}`), ...routes.map(({ path }) => path)]
  expect(Object.keys(paths)).toEqual(wanted)
})

test('every parameter in a path is described, and every body may be refused as not JSON', () => {
  for (const { path, method, request } of routes) {
    const item = paths[path]![method.toLowerCase()]!
    const named = ((item['parameters'] ?? []) as { name: string; in: string }[]).map((one) => `{${one.name}}`)
    expect(named, path).toEqual(path.match(/\{\w+\}/g) ?? [])
    if (request !== undefined) expect(Object.keys(item['responses'] as Tree), path).toContain('400')
  }
})

test('every reference leads to a component and every component is referred to', () => {
  const text = JSON.stringify(openApi)
  const referred = new Set([...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name))
  expect([...referred].sort()).toEqual(Object.keys(schemas).sort())
})

test('no schema carries what JSON Schema does not know', () => {
  const known = new Set(
    'type properties required items additionalProperties anyOf allOf enum description default format pattern minimum maximum minLength maxLength minItems maxItems $ref'.split(
      ' ',
    ),
  )
  for (const schema of Object.values(schemas)) {
    for (const key of Object.keys(schema)) expect(known).toContain(key)
  }
})

test('the examples fit the schemas as the document shows them', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(openApi, 'openapi')
  const media = 'content/application~1json'
  const problems: string[] = []
  for (const { name } of operationList) {
    const item = paths[`/api/${name}`]!['post'] as { requestBody: Tree; responses: Record<string, Tree> }
    for (const [place, body] of [
      ['requestBody', item.requestBody],
      ['responses/200', item.responses['200']!],
    ] as const) {
      const content = (body['content'] as Record<string, { example: unknown }> | undefined)?.[
        'application/json'
      ]
      if (content === undefined) continue
      const check = ajv.compile({ $ref: `openapi#/paths/~1api~1${name}/post/${place}/${media}/schema` })
      if (!check(content.example)) problems.push(`${name} ${place}: ${ajv.errorsText(check.errors)}`)
    }
  }
  expect(problems).toEqual([])
})

test('the same contract gives the same bytes', () => {
  expect(JSON.stringify(openApiDocument())).toBe(JSON.stringify(openApi))
})

test('a session-only operation offers no key, a public route nothing at all', () => {
  expect(paths['/api/addApiToken']?.['post']?.['security']).toEqual([{ accessToken: [] }])
  expect(paths['/health']?.['get']?.['security']).toEqual([])
})

test('the request body shows what is required, what may be null and what is the default', () => {
  const body = paths['/api/importInBurp']?.['post']?.['requestBody'] as {
    required: boolean
    content: Record<string, { schema: Tree }>
  }
  expect(body.required).toBe(true)
  expect(body.content['application/json']?.schema).toMatchObject({
    required: ['collectionName'],
    properties: { collectionName: { type: 'string' }, limit: { type: ['integer', 'null'], default: 500 } },
  })
})
