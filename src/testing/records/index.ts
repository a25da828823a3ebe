export {
  type AuthMechanismView,
  type AuthParameter,
  keepToken,
  keptToken,
  type LoginFlow,
} from './auth-mechanism.ts'
export { changeRun, type RunChange, runOfConfiguration } from './change-run.ts'
export {
  casesOf,
  type KeptTemplate,
  keepCases,
  keptTemplates,
  noteCopy,
  originalOf,
  removeTemplates,
  switchTemplate,
} from './change-templates.ts'
export { compareExecutions } from './compare-executions.ts'
export { type AnswerOverview, answerOverviews } from './count-answers.ts'
export { type CoverageCell, coverageDays, coverageRows } from './coverage-matrix.ts'
export { createRun, type NewRun } from './create-run.ts'
export { deleteRuns } from './delete-runs.ts'
export type { Evidence } from './evidence.ts'
export {
  type AnswerCounts,
  collectionOfResult,
  countAnswers,
  countSelections,
  findResult,
  findResultOfIssue,
  findResults,
  latestResults,
  listResults,
  type ResultDetail,
  type ResultFilter,
  type ResultMode,
  type ResultSort,
  type ResultView,
} from './list-results.ts'
export {
  activeRuns,
  countRuns,
  findExecution,
  findRun,
  latestExecutions,
  listExecutions,
  listRuns,
  type RunSort,
  runMarks,
} from './list-runs.ts'
export { maskCredential, secretsOfCredential, unmaskCredential } from './mask-credential.ts'
export { maskRequestChanges, secretsOfChanges, unmaskRequestChanges } from './mask-request-changes.ts'
export { maskText, SecretMask } from './mask-secrets.ts'
export { keepModule, listModules } from './modules.ts'
export { previewResult } from './preview-result.ts'
export { type RecordOutcome, recordResults } from './record-results.ts'
export { recountExecution } from './recount.ts'
export { repeatResults, repeatRun } from './repeat-run.ts'
export { ciFacts, runsByWeek } from './run-facts.ts'
export { noteProblem, type RunLogLine, readRunLog } from './run-log.ts'
export { checkProgress, hostProgress } from './run-progress.ts'
export type { ExecutionView, RunConfiguration, RunView } from './run-view.ts'
export {
  type DueWrite,
  forgetWrite,
  postponeWrite,
  releaseWrites,
  takeDueWrites,
  writeKeeper,
  writeRulesOfIssues,
} from './run-writes.ts'
export {
  type ActiveExecution,
  activeExecutions,
  type ClaimedShard,
  claimShard,
  finishShard,
  giveBackShard,
  giveBackShards,
  keepShards,
  nextStage,
  noteLeftOut,
  storeShards,
} from './shards.ts'
export { countSkippedReasons } from './skipped-reasons.ts'
export {
  type CatalogueEntry,
  type DescribedTest,
  keepTemplates,
  type NewCatalogueEntry,
  StoredCatalogue,
  type TemplateCatalogue,
} from './template-catalogue.ts'
export {
  attackerRole,
  changeRoleConditions,
  createRole,
  defaultMechanism,
  deleteRole,
  ensureAttackerRole,
  findRole,
  isDefault,
  listRoles,
  mayUseRole,
  type NewCredential,
  type RoleConditions,
  type RoleCredential,
  removeCredential,
  roleGrant,
  setCredential,
  shareRole,
  type TestRoleView,
} from './test-roles.ts'
export {
  changeSuite,
  createSuite,
  deleteSuite,
  findSuites,
  listSuites,
  type TestSuite,
} from './test-suites.ts'
export { testedHosts } from './tested-hosts.ts'
export {
  beginExecution,
  type ClaimedExecution,
  claimExecution,
  type ExecutionEnd,
  endExecution,
  findClaimed,
  hasWork,
  keepExecution,
  pairsToRepeat,
  postponeRun,
  type RecordedPair,
  recordedPairs,
  releaseExecution,
  stopAllRuns,
  stopRun,
  takeOverExecution,
} from './transitions.ts'
