import { errorRows } from './row.ts'

/** Errors of collections, endpoints and groups. */
export const collectionErrors = errorRows({
  NO_SUCH_COLLECTION: {
    status: 422,
    message: 'No such collection exists',
    remedy: 'Load the list of collections again: the collection may have been deleted.',
  },
  DEACTIVATED_COLLECTION: {
    status: 403,
    message: 'This API is not available for deactivated collections',
    remedy: 'Activate the collection first.',
  },
  INVALID_REGEX: {
    status: 422,
    message: 'Invalid regex pattern',
    remedy: 'Send a regular expression in RE2 syntax (no look-around, no back-references).',
  },
  INVALID_COLLECTION_NAME: {
    status: 422,
    message: 'Invalid collection name',
    remedy: 'Give a name of 1 to 60 characters.',
  },
  COLLECTION_NAME_TOO_LONG: {
    status: 422,
    message: 'Custom collections max length: 60',
    remedy: 'Shorten the name to 60 characters.',
  },
  COLLECTION_NAME_CHARACTERS: {
    status: 422,
    message: "Collection names can only be alphanumeric and contain '-','.' and '_'",
    remedy: 'Use letters, digits, spaces, hyphens, dots and underscores only.',
  },
  COLLECTION_NAME_TAKEN: {
    status: 422,
    message: 'Collection names must be unique',
    remedy: 'Choose another name.',
  },
  TRAFFIC_COLLECTION_FIXED: {
    status: 422,
    message: 'Unable to modify the Traffic API collection',
    remedy: 'Only collections created by a user or an import can be renamed.',
  },
  NOT_A_GROUP: {
    status: 422,
    message: 'The collection is not an API group',
    remedy: 'Send the id of a collection of type API_GROUP.',
  },
  AUTOMATED_GROUP_FIXED: {
    status: 422,
    message: 'Built-in groups cannot be changed',
    remedy: 'Create a custom group with the same conditions.',
  },
  INVALID_CONDITION: {
    status: 422,
    message: 'Invalid condition {index}: {reason}',
    remedy: 'Use the condition types and operators that the reference of createCustomCollection lists.',
  },
  INVALID_ENVIRONMENT: {
    status: 422,
    message: 'Invalid environment {value}',
    remedy: 'Use STAGING, PRODUCTION, QA, DEV, INTEG, UAT, PREPROD or INTERNAL.',
  },
  NO_SUCH_ENDPOINT: {
    status: 422,
    message: 'No such endpoint exists',
    remedy: 'Load the list of endpoints again: the endpoint may have been deleted or merged into a template.',
  },
  NO_APIS_GIVEN: {
    status: 422,
    message: "APIs list can't be empty",
    remedy: 'Name at least one endpoint.',
  },
  TOO_MANY_TAGS: {
    status: 422,
    message: '{method} {url} would have more than {most} tags, so nothing was changed',
    remedy: 'Remove tags of this endpoint first, or add fewer.',
  },
  NOT_A_TEMPLATE: {
    status: 422,
    message: 'No segment of the path {url} is a parameter',
    remedy: 'Send the url of an endpoint whose path was templated, for example /users/INTEGER.',
  },
  TEMPLATE_NOT_FOUND: {
    status: 422,
    message: 'No template {url} is known',
    remedy: 'Send the url of an endpoint whose path was templated, as the lists show it.',
  },
  TEMPLATE_MISMATCH: {
    status: 422,
    message: 'The path {url} does not fit the template {template}',
    remedy: 'The template and the path must have the same number of segments and the same literals.',
  },
  TEMPLATE_CONFLICT: {
    status: 422,
    message: 'A user has already decided on {template}',
    remedy: 'Undo the earlier decision first.',
  },
  NO_OPENAPI_SCHEMA: {
    status: 422,
    message: 'No OpenAPI schema found for collection ID: {apiCollectionId}',
    remedy: 'Upload a specification into the collection first.',
  },
  INVALID_CURSOR: {
    status: 422,
    message: 'The cursor needs both lastFetchedUrl and lastFetchedMethod',
    remedy: 'Send both values of the last response, or neither.',
  },
  INVALID_DATA_TYPE_NAME: {
    status: 422,
    message: 'Invalid data type name',
    remedy: 'Use 1 to 60 capital letters, digits and underscores.',
  },
  INVALID_DATA_TYPE: {
    status: 422,
    message: 'Invalid data type: {reason}',
    remedy: 'Give at least one key or value condition with a valid pattern.',
  },
  DATA_TYPE_FIXED: {
    status: 422,
    message: 'Built-in data types keep their patterns',
    remedy: 'Create a custom data type.',
  },
})
