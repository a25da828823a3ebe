import { errorRows } from './row.ts'

/** Errors of the operations about threats. */
export const threatErrors = errorRows({
  REF_ID_REQUIRED: {
    status: 422,
    message: 'refId is required',
    remedy: 'Send refId, or actor and filterId together.',
  },
  INVALID_ACTOR_STATUS: {
    status: 422,
    message: 'Invalid status',
    remedy: 'Send 1 to 32 letters, digits, underscores, hyphens or spaces; active and blocked are usual.',
  },
  FILTER_NOT_YAML: {
    status: 422,
    message: 'Invalid YAML: {line}:{column} {reason}',
    remedy: 'Correct the text at that place.',
  },
  FILTER_ID_EMPTY: {
    status: 422,
    message: 'id field cannot be empty',
    more: 'line {line}: give the template an id',
    remedy: 'Give the template an id.',
  },
  FILTER_ID_INVALID: {
    status: 422,
    message: 'id can contain 1 to 128 letters, digits, dots, underscores and hyphens',
    more: 'line {line}: choose another id',
    remedy: 'Choose another id.',
  },
  FILTER_EMPTY: {
    status: 422,
    message: 'filter field cannot be empty',
    more: 'line {line}: give the template a filter, success_filter or failure_filter',
    remedy: 'Give the template a filter, success_filter or failure_filter.',
  },
  FILTER_KEY_REQUIRED: {
    status: 422,
    message: '{path} is required',
    more: 'line {line}: add the key to the template',
    remedy: 'Add the key to the template.',
  },
  FILTER_INVALID: {
    status: 422,
    message: '{path}: {reason}',
    remedy: 'Correct the template at that path.',
  },
  FILTER_UNKNOWN_KEY: {
    status: 422,
    message: '{path}: unknown key {name}',
    remedy: 'Use the keys, terms and operators of the filter language; docs/reference/filters.md lists them.',
  },
  FILTER_INVALID_REGEX: {
    status: 422,
    message: '{path}: invalid regular expression: {reason}',
    more: 'Patterns are those of RE2 or of Java without back-references; a sign that is meant as it stands takes a backslash before it',
    remedy:
      'Correct the pattern: use RE2 or Java syntax without back-references. Look-around is allowed but slower.',
  },
  PAYLOAD_TEXT_INVALID: {
    status: 422,
    message: 'latestApiPayload is not a message: {reason}',
    remedy: 'Send request and response in the text format of protocol buffers, or leave it out.',
  },
  FILTER_ID_ABSENT: {
    status: 422,
    message: 'templateId cannot be empty',
    remedy: 'Send the id of the template.',
  },
  FILTER_NOT_FOUND: {
    status: 422,
    message: 'Filter not found',
    remedy: 'Load the list of filters again: the filter may have been deleted.',
  },
  EVENT_TOO_OLD: {
    status: 422,
    message: 'The event is older than events are kept ({days} days)',
    remedy: 'Send newer events, or keep them longer with modifyThreatConfiguration.',
  },
  NO_EVENTS_SELECTED: {
    status: 422,
    message: 'No events are selected',
    remedy: 'Select at least one event, or set a filter.',
  },
  SUPPRESSION_WITHOUT_SCOPE: {
    status: 422,
    message: 'A suppression needs a scope',
    remedy: 'Name at least one of filter, URL, host, actor and collection.',
  },
  TOO_MANY_SUPPRESSIONS: {
    status: 422,
    message: 'The maximum number of suppressions is reached',
    remedy: 'Delete some, or create one that covers several.',
  },
  SUPPRESSION_NOT_FOUND: {
    status: 422,
    message: 'Suppression not found',
    remedy: 'Load the list of suppressions again: the suppression may have been deleted.',
  },
})
