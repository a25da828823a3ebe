import type { IssueId } from '../../../contract/browser.ts'

/** Address of an issue's page: test and endpoint name it. */
export function issueAddress(
  id: Pick<IssueId, 'testSubCategory' | 'testErrorSource' | 'apiInfoKey'>,
): string {
  const { apiCollectionId, method, url } = id.apiInfoKey
  const query = new URLSearchParams({
    test: id.testSubCategory,
    collection: String(apiCollectionId),
    method,
    url,
  })
  if (id.testErrorSource !== 'AUTOMATED_TESTING') query.set('source', id.testErrorSource)
  return `/issues/one?${query}`
}
