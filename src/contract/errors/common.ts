import { errorRows } from './row.ts'

/** Errors any operation can give: transport, reading the body, keys and sessions, load, faults of our own. */
export const commonErrors = errorRows({
  INVALID_JSON_BODY: {
    status: 400,
    message: 'The body is not a JSON object',
    remedy:
      'Send one object as the body, in UTF-8, such as {}; a list, text or a number is JSON too, but not an object.',
  },
  FIELD_REQUIRED: {
    status: 422,
    message: '{field} is required',
    remedy: 'Send the field; the reference lists the required fields of each operation.',
  },
  INVALID_FIELD: {
    status: 422,
    message: 'Invalid value for {field}',
    remedy: 'Send the type and range that the reference gives for the field.',
  },
  TOO_DEEP: {
    status: 422,
    message: 'The body is nested deeper than {limit} levels',
    remedy: 'Flatten the body.',
  },
  INVALID_KEY: {
    status: 403,
    message: 'Invalid or missing API key',
    remedy: 'Send the header x-api-key with a key from settings, API access.',
  },
  KEY_EXPIRED: {
    status: 403,
    message: 'API key has expired',
    remedy: 'Create a new key in settings, API keys, and delete this one.',
  },
  SESSION_EXPIRED: {
    status: 403,
    message: 'Session expired',
    remedy: 'Renew the access token at GET /dashboard/accessToken, or sign in again.',
  },
  KEY_NOT_ALLOWED: {
    status: 403,
    message: 'API key is not allowed on this path',
    remedy: 'Use a key of kind EXTERNAL_API, or a browser session for operations that keys never reach.',
  },
  ROLE_DENIED: {
    status: 403,
    message: "The role '{role}' does not have access.",
    remedy: 'Ask an administrator for a higher role.',
  },
  FOREIGN_ORIGIN: {
    status: 403,
    message: 'This call must come from a page of this installation',
    remedy: 'Open the dashboard under its own address; behind a proxy set VIGIL_BASE_URL.',
  },
  COLLECTION_MINUS_ONE: {
    status: 422,
    message: 'API Collection ID cannot be -1',
    remedy: 'Send the id of an existing collection.',
  },
  COLLECTION_DENIED: {
    status: 403,
    message: 'You do not have access to this collection',
    remedy: 'Ask an administrator for access to the collection.',
  },
  COLLECTIONS_RESTRICTED: {
    status: 403,
    message: 'This call covers collections that you cannot access; it requires access to all collections',
    remedy:
      'Ask an administrator to make the call or to give you access to all collections. If the call accepts a collection, name one that you can access.',
  },
  ID_DENIED: {
    status: 403,
    message: 'You do not have access to the object that {field} names',
    remedy: 'Use an id from your own lists. An administrator can give you access to more collections.',
  },
  CLIENT_GONE: {
    status: 400,
    message: 'The connection ended before the body was complete',
    remedy: 'Send the call again.',
  },
  NOT_FOUND: {
    status: 404,
    message: 'Not found',
    remedy: 'Check the path.',
  },
  UNKNOWN_OPERATION: {
    status: 404,
    message: 'Unknown operation: {operation}',
    remedy: 'Check the spelling; two names are misspelled for compatibility.',
  },
  OPERATION_NOT_OFFERED: {
    status: 404,
    message: 'Vigil has no operation {operation}: {instead}',
    remedy: 'Use what the message names; the operation is one of the reference platform.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'Method {method} is not allowed',
    remedy: 'Use POST for operations.',
  },
  BODY_TOO_LARGE: {
    status: 413,
    message: 'The body is larger than {limit} bytes',
    remedy: 'Send smaller batches or split the file.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'Content-Type must be application/json',
    remedy: 'Set the header Content-Type to application/json.',
  },
  UNSUPPORTED_ENCODING: {
    status: 415,
    message: 'Content-Encoding must be gzip, deflate, br or zstd, or absent',
    remedy: 'Use one of these encodings, once; the Accept-Encoding header of the response lists them.',
  },
  INVALID_ENCODING: {
    status: 400,
    message: 'The body cannot be decoded with its Content-Encoding',
    remedy: 'Compress the body as the header says, or send it uncompressed without the header.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    message: 'The request took too long to arrive',
    remedy: 'Send the body faster or in smaller parts.',
    retryAfterSeconds: 1,
  },
  TOO_MANY_REQUESTS: {
    status: 429,
    message: 'Too many requests, try again in {retryAfterSeconds} seconds',
    remedy: 'Wait as long as the Retry-After header says.',
    retryAfterSeconds: 5,
  },
  INTERNAL: {
    status: 500,
    message: 'Internal error',
    remedy: 'Report the request id of the response; the log contains the cause under this id.',
  },
  NOT_BUILT: {
    status: 501,
    message: '{operation} is not built yet',
    remedy: 'Wait for a version whose changelog names the operation.',
  },
  OVERLOADED: {
    status: 503,
    message: 'The server is overloaded, try again in {retryAfterSeconds} seconds',
    remedy: 'Wait as long as the Retry-After header says; nothing was stored.',
    retryAfterSeconds: 2,
  },
  ROLE_ABSENT: {
    status: 421,
    message: 'This process does not serve that: its roles are {roles}',
    remedy:
      'Send the call to a process with the role serve (VIGIL_ROLES); live traffic also to one with the role ingest.',
  },
  SHUTTING_DOWN: {
    status: 503,
    message: 'The server is shutting down',
    remedy: 'Send the call again once the server is back.',
    retryAfterSeconds: 5,
  },
  TALLIES_ADOPTED: {
    status: 503,
    message: 'Another process took over the pending counts of this one',
    remedy: 'Send the call again. This happens after the process was paused for long.',
    retryAfterSeconds: 1,
  },
  STORE_FULL: {
    status: 503,
    message: 'The disk of the store is full; nothing was stored',
    remedy:
      'Free space on the disk of the data folder (VIGIL_DATA_DIR), or on that of the PostgreSQL server (VIGIL_DATABASE_URL), then send the call again.',
    retryAfterSeconds: 30,
  },
  STORE_UNAVAILABLE: {
    status: 503,
    message: 'The store does not answer',
    remedy: 'Check the database; GET /health names the failing component.',
    retryAfterSeconds: 5,
  },
})
