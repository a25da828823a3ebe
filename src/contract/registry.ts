import type { Operation } from './operation.ts'
import { accountOperations } from './operations/account.ts'
import { alertOperations } from './operations/alerts.ts'
import { auditOperations } from './operations/audit.ts'
import { collectionChangeOperations } from './operations/collection-changes.ts'
import { collectionEndpointOperations } from './operations/collection-endpoints.ts'
import { collectionGroupOperations } from './operations/collection-groups.ts'
import { collectionOperations } from './operations/collections.ts'
import { coverageOperations } from './operations/coverage.ts'
import { crawlViewOperations } from './operations/crawl-views.ts'
import { crawlerOperations } from './operations/crawler.ts'
import { crawlerModuleOperations } from './operations/crawler-modules.ts'
import { dataTypeOperations } from './operations/data-types.ts'
import { endpointCareOperations } from './operations/endpoint-care.ts'
import { filterTemplateOperations } from './operations/filter-templates.ts'
import { helperOperations } from './operations/helpers.ts'
import { importedFindingOperations } from './operations/imported-findings.ts'
import { importOperations } from './operations/imports.ts'
import { inventoryOperations } from './operations/inventory.ts'
import { inventoryChangeOperations } from './operations/inventory-changes.ts'
import { issueCareOperations } from './operations/issue-care.ts'
import { issueChangeOperations } from './operations/issue-changes.ts'
import { issueOperations } from './operations/issues.ts'
import { liveTrafficOperations } from './operations/live-traffic.ts'
import { organisationOperations } from './operations/organisation.ts'
import { pathTemplateOperations } from './operations/path-templates.ts'
import { reportOperations } from './operations/reports.ts'
import { secondFactorOperations } from './operations/second-factor.ts'
import { specificationFileOperations } from './operations/specification-files.ts'
import { specificationUploadOperations } from './operations/specification-uploads.ts'
import { systemStatusOperations } from './operations/system-status.ts'
import { testCatalogueOperations } from './operations/test-catalogue.ts'
import { testEditorOperations } from './operations/test-editor.ts'
import { testResultOperations } from './operations/test-results.ts'
import { testRoleOperations } from './operations/test-roles.ts'
import { testRunChangeOperations } from './operations/test-run-changes.ts'
import { testRunControlOperations } from './operations/test-run-controls.ts'
import { testRunOverviewOperations } from './operations/test-run-overviews.ts'
import { testRunOperations } from './operations/test-runs.ts'
import { threatOperations } from './operations/threat.ts'
import { threatChangeOperations } from './operations/threat-changes.ts'
import { threatOverviewOperations } from './operations/threat-overviews.ts'

/** Every operation by its wire name. */
export const operations = {
  ...collectionOperations,
  ...collectionEndpointOperations,
  ...specificationFileOperations,
  ...collectionChangeOperations,
  ...collectionGroupOperations,
  ...inventoryOperations,
  ...inventoryChangeOperations,
  ...endpointCareOperations,
  ...pathTemplateOperations,
  ...dataTypeOperations,
  ...importOperations,
  ...specificationUploadOperations,
  ...liveTrafficOperations,
  ...testRunOperations,
  ...testRunChangeOperations,
  ...testRunControlOperations,
  ...testRunOverviewOperations,
  ...testEditorOperations,
  ...testRoleOperations,
  ...issueOperations,
  ...issueChangeOperations,
  ...issueCareOperations,
  ...coverageOperations,
  ...reportOperations,
  ...testResultOperations,
  ...importedFindingOperations,
  ...testCatalogueOperations,
  ...threatOperations,
  ...filterTemplateOperations,
  ...threatChangeOperations,
  ...threatOverviewOperations,
  ...organisationOperations,
  ...systemStatusOperations,
  ...secondFactorOperations,
  ...crawlerOperations,
  ...crawlViewOperations,
  ...crawlerModuleOperations,
  ...helperOperations,
  ...accountOperations,
  ...alertOperations,
  ...auditOperations,
} as const

/** The type of the registry; {@link import('./types.ts').RequestOf} and the types around it derive from it. */
export type Operations = typeof operations

/** All operations in the order of the reference. */
export const operationList: readonly Operation[] = Object.values(operations)

/** All names, in the order of the reference. */
export const operationNames = Object.keys(operations) as readonly (keyof Operations & string)[]

/** The operation of a name taken from a path, or undefined; safe for any text. */
export function findOperation(name: string): Operation | undefined {
  return Object.hasOwn(operations, name) ? operations[name as keyof Operations] : undefined
}
