import { percentDecoded } from '../../../kit/index.ts'
import { normalisePath, parseTemplate, splitPathFor } from '../../../path-templates/index.ts'
import type { PathParameter } from '../learn/index.ts'

interface Matrix {
  readonly segment: number
  readonly name: string
  readonly value: string
}

/** All parameters of a path: segments that a template has as parameters, and the matrix parameters of all segments. */
export function pathParameters(
  segments: readonly { readonly index: number; readonly value: string }[],
  matrix: readonly Matrix[],
): readonly PathParameter[] {
  return [
    ...segments.map(({ index, value }) => ({ index, name: '', value })),
    ...matrix.map(({ segment, name, value }) => ({ index: segment, name, value: percentDecoded(value) })),
  ]
}

/** The parameters of an observed path, as a template stands for it. */
export function pathParametersOf(template: string, observed: string): readonly PathParameter[] {
  const { path, matrix } = normalisePath(observed)
  const parsed = parseTemplate(template).segments
  const values = splitPathFor(parsed, path)
  const segments = parsed.flatMap(({ kind }, index) => {
    const value = values[index]
    return kind === 'param' && value !== undefined ? [{ index, value }] : []
  })
  return pathParameters(segments, matrix)
}
