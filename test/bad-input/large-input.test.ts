import { LARGE_CASES } from './large-cases.ts'
import { largeInputCases } from './large-input-cases.ts'

largeInputCases(
  10,
  LARGE_CASES.filter(({ name }) => name.endsWith('cut off')),
)
