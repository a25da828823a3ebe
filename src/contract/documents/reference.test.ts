import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { errorTable } from '../errors.ts'
import { operationList } from '../registry.ts'
import { errorPage } from './error-page.ts'
import { referencePage, referenceScriptSource } from './reference.ts'

const page = referencePage()

test('every operation and every error has its place and its link', () => {
  for (const { name } of operationList) {
    expect(page).toContain(`<article id="${name}"`)
    expect(page).toContain(`<a href="#${name}">${name}</a></li>`)
  }
  for (const code of Object.keys(errorTable)) expect(page).toContain(`id="error-${code}"`)
})

test('every link inside the page leads somewhere, and each place is there once', () => {
  const places = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id!)
  expect(new Set(places).size).toBe(places.length)
  const links = new Set([...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id!))
  expect([...links].filter((id) => !places.includes(id))).toEqual([])
})

test('the page asks for nothing from elsewhere', () => {
  expect(page).not.toMatch(/ (?:src|href)="(?!#)/)
  expect(page).not.toMatch(/@import|url\(/)
})

test('the source expression fits the script of the page', () => {
  const script = page.match(/<script>([\s\S]*)<\/script>/)?.[1] ?? ''
  expect(referenceScriptSource).toBe(`'sha256-${createHash('sha256').update(script).digest('base64')}'`)
})

test('the page of errors has one row for each', () => {
  const text = errorPage()
  for (const [code, row] of Object.entries(errorTable)) expect(text).toContain(`| ${code} | ${row.status} |`)
})
