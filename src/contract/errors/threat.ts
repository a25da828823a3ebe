import { errorRows } from './row.ts'

/** Errors of the threat operations. */
export const threatErrors = errorRows({
  INVALID_ACTOR_STATUS: {
    status: 422,
    message: 'Invalid status',
    cure: 'Send 1 to 32 letters, digits, hyphens, underscores or spaces; active, blocked, mitigated and ignored are usual.',
  },
  ACTOR_IP_REQUIRED: { status: 422, message: 'actorIp is required', cure: 'Send the id of the actor.' },
  REF_ID_REQUIRED: {
    status: 422,
    message: 'refId is required',
    cure: 'Send refId, or actor and filterId together.',
  },
  INVALID_FILTER_YAML: {
    status: 422,
    message: 'Invalid YAML: {line}:{column} {reason}',
    cure: 'Correct the YAML at that place.',
  },
  FILTER_ID_EMPTY: { status: 422, message: 'id field cannot be empty', cure: 'Give the template an id.' },
  FILTER_FIELD_EMPTY: {
    status: 422,
    message: 'filter field cannot be empty',
    cure: 'Write a filter, or success_filter and failure_filter.',
  },
  INVALID_FILTER: {
    status: 422,
    message: '{path}: {reason}',
    cure: 'Correct the key at that path; the reference lists the keys that may stand there.',
  },
})
