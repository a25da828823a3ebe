import { Failure, nowSeconds } from '../../../kit/index.ts'
import { entryOf, readYaml, type YamlMap } from '../../../rules/index.ts'
import { keepTemplates } from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { catalogueEntry } from '../../test-runs/catalogue-entry.ts'
import { readSentTemplate, wireProblem } from './sent-template.ts'

/** Keys of info that a test which is saved must have, as the interface words them. */
const INFO_KEYS = [
  ['name', 'name'],
  ['description', 'description'],
  ['details', 'details'],
  ['category', 'category'],
  ['severity', 'severity'],
  ['subCategory', 'subcategory'],
] as const

/** Saves a test that was written in the dashboard. */
export const saveTestEditorFile: Handler<'saveTestEditorFile'> = async (input, { app, caller }) => {
  requireInfo(input.content)
  const { template, problems } = readSentTemplate(input.content)
  const [known] = await app.catalogue.byIds([template.id])
  const isOwn = known?.source === 'CUSTOM' && input.originalTestId === template.id
  if (known !== undefined && !isOwn) throw new Failure('TEMPLATE_ID_TAKEN', {})
  const entry = catalogueEntry(template, input.content, {
    source: 'CUSTOM',
    file: null,
    author: known?.author ?? caller.login,
    remediation: null,
  })
  await keepTemplates(app.store, [entry], nowSeconds())
  return { finalTestId: template.id, templateProblems: problems.map((one) => wireProblem(one, null)) }
}

/** @throws Failure TEMPLATE_INFO_ABSENT, TEMPLATE_KEY_ABSENT */
function requireInfo(content: string): void {
  const { root } = readYaml(content)
  if (root === null || root.kind !== 'map') return // said with its place when the test is read
  const info = entryOf(root, 'info')
  if (info === undefined || info.kind !== 'map') throw new Failure('TEMPLATE_INFO_ABSENT', {})
  const missing = INFO_KEYS.find(([key]) => isEmpty(info, key))
  if (missing !== undefined) throw new Failure('TEMPLATE_KEY_ABSENT', { key: missing[1] })
}

function isEmpty(info: YamlMap, key: string): boolean {
  const node = entryOf(info, key)
  return node === undefined || (node.kind === 'scalar' && (node.value === null || node.value === ''))
}
