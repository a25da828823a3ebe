import { SaxesParser } from 'saxes'

interface Shape {
  readonly required: readonly string[]
  readonly optional: readonly string[]
  readonly children: readonly string[]
  readonly holdsText?: true
}

const outcome: Shape = { required: [], optional: ['type', 'message'], children: [], holdsText: true }
const counts = ['tests', 'failures', 'errors'] as const

/**
 * The elements of JUnit XML that scans use, with the attributes and children that the schema most readers share allows
 * them; `skipped` counts stand at a suite only.
 */
const SHAPES: Readonly<Record<string, Shape>> = {
  testsuites: { required: [], optional: ['name', 'time', ...counts], children: ['testsuite'] },
  testsuite: {
    required: ['name', ...counts],
    optional: ['time', 'skipped', 'timestamp', 'hostname', 'id', 'package'],
    children: ['testcase', 'properties', 'system-out', 'system-err'],
  },
  testcase: {
    required: ['name'],
    optional: ['time', 'classname'],
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
  },
  ...{ skipped: outcome, error: outcome, failure: outcome },
}

/** What is wrong with a JUnit document; empty when nothing is. */
export function junitFaults(text: string): string[] {
  const faults: string[] = []
  const open: string[] = []
  const parser = new SaxesParser()
  parser.on('error', ({ message }) => void faults.push(message))
  parser.on('opentag', ({ name, attributes }) => {
    faults.push(...elementFaults(name, open.at(-1), attributes as Record<string, string>))
    open.push(name)
  })
  parser.on('closetag', () => void open.pop())
  parser.on('text', (part) => {
    const shape = SHAPES[open.at(-1) ?? '']
    if (part.trim() !== '' && shape?.holdsText !== true) faults.push(`text in ${open.at(-1)}`)
  })
  parser.write(text).close()
  return faults
}

function elementFaults(
  name: string,
  parent: string | undefined,
  attributes: Record<string, string>,
): string[] {
  const shape = SHAPES[name]
  if (shape === undefined) return [`the element ${name}`]
  const isPlaced = parent === undefined ? name === 'testsuites' : SHAPES[parent]?.children.includes(name)
  const known = new Set([...shape.required, ...shape.optional])
  const { time = '0', ...counted } = attributes
  return [
    ...(isPlaced === true ? [] : [`${name} in ${parent ?? 'the document'}`]),
    ...Object.keys(attributes).flatMap((key) => (known.has(key) ? [] : [`${name} has ${key}`])),
    ...shape.required.flatMap((key) => (key in attributes ? [] : [`${name} lacks ${key}`])),
    ...(/^\d+(?:\.\d+)?$/.test(time) ? [] : [`time ${time}`]),
    ...[...counts, 'skipped'].flatMap((key) =>
      /^\d+$/.test(counted[key] ?? '0') ? [] : [`${key} ${counted[key]}`],
    ),
  ]
}
