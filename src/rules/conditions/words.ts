import { OPERATORS } from '../operators/registry.generated.ts'
import { TERMS } from '../terms/registry.generated.ts'
import { CONTEXTS } from './contexts/registry.generated.ts'

/** Operators, terms and contexts by their names in lower case. */
export const operatorsByName = new Map(OPERATORS.map((operator) => [operator.name, operator]))
export const termsByName = new Map(TERMS.map((term) => [term.name, term]))
export const contextsByName = new Map(CONTEXTS.map((context) => [context.name, context]))

/** Words of the language that nothing here can answer, and why; they compile and never hold. */
export const UNSUPPORTED: ReadonlyMap<string, string> = new Map([
  ...['magic_validate', 'not_magic_validate'].map((name): [string, string] => [
    name,
    'it needs a language model, which is not used here',
  ]),
  ...['conform_schema', 'category', 'type', 'pattern', 'action', 'replacement_string'].map(
    (name): [string, string] => [name, 'it belongs to another family of templates'],
  ),
])

/** Operators that ask the inventory or the sample, or extract; filters of live traffic have neither at hand. */
export const OPERATORS_OF_TESTS: ReadonlySet<string> = new Set([
  'belongs_to_collections',
  'confidence',
  'cookie_expire_filter',
  'datatype',
  'eq_obj',
  'neq_obj',
])

/** Every word of a condition, for suggestions after a misspelling. */
export const conditionWords: readonly string[] = [
  'and',
  'or',
  'compare_greater',
  'ssrf_url_hit',
  'for_one',
  'for_all',
  'key',
  'value',
  'length',
  'percentage_match',
  'percentage_match_schema',
  'percentage_match_meaning',
  'nlp_classification',
  'extract',
  'extractMultiple',
  'valueType',
  'param',
  ...operatorsByName.keys(),
  ...termsByName.keys(),
  ...contextsByName.keys(),
  ...UNSUPPORTED.keys(),
]
