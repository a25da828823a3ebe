/**
 * The order of endpoints with what seldom met filters ask for, so that a page of few among a million is found in the
 * index. The index before held the order only.
 */
export const endpointsInOrder = `
CREATE INDEX endpoints_in_order ON endpoints (url, method, id)
  INCLUDE (collection_id, api_type, is_documented, is_sensitive) WHERE is_listed;
DROP INDEX endpoints_by_url;
`
