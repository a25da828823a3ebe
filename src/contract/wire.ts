/** Request header that carries an API key. */
export const apiKeyHeader = 'x-api-key'
/** Request header that carries the access token of a browser session; the answer carries a renewed one. */
export const accessTokenHeader = 'access-token'
/** Response header that carries the code of an error, for clients that branch on it. */
export const errorCodeHeader = 'x-error-code'
/** Response header that carries the id under which the log tells of the request. */
export const requestIdHeader = 'x-request-id'
/** Response header of initiateCrawler that carries the id of the new crawl. */
export const crawlIdHeader = 'x-crawl-id'
/** Path of the stream of changes. */
export const changesPath = '/api/changes'
