import { listImportedRules } from '../../../issues/index.ts'
import type { Handler } from '../../handler.ts'

/** Lists the rules of other scanners behind the issues that the caller may see. */
export const fetchImportedRules: Handler<'fetchImportedRules'> = async (_input, { app, caller }) => {
  const rules = await listImportedRules(app.store, caller.collectionIds)
  return {
    rules: rules.map(({ links, cwe, cve, ...rule }) => ({
      ...rule,
      cwe: [...cwe],
      cve: [...cve],
      references: [...links],
    })),
  }
}
