import { errorRows } from './row.ts'

/** Errors of the operations about alerts and tickets. */
export const alertErrors = errorRows({
  ALERT_MAIL_OFF: {
    status: 422,
    message: 'This server sends no mail',
    remedy: 'An operator sets VIGIL_SMTP_URL and VIGIL_BASE_URL, then channels of mail can be added.',
  },
  WEBHOOK_URL_INVALID: {
    status: 422,
    message: 'The url cannot be used: {reason}',
    remedy:
      'Send an https URL. Hosts without TLS or on private addresses need an entry in VIGIL_ALLOWED_ALERT_TARGETS.',
  },
  WEBHOOK_EXISTS: {
    status: 422,
    message: 'This webhook url already exists',
    remedy: 'Change the existing one with updateCustomWebhook.',
  },
  WEBHOOK_HEADERS_INVALID: {
    status: 422,
    message: 'The header {header} cannot be sent',
    remedy:
      'Send at most 20 headers with names and values that HTTP allows; host, length and connection are set by Vigil.',
  },
  WEBHOOK_NOT_FOUND: {
    status: 422,
    message: 'Webhook not found',
    remedy: 'Send an id that fetchCustomWebhooks lists.',
  },
  TRACKER_TOKEN_EMPTY: {
    status: 422,
    message: 'The token is empty',
    remedy: 'Send a token of the tracker that may create issues.',
  },
  TRACKER_MISSING: {
    status: 422,
    message: '{tracker} is not set up',
    remedy: 'An administrator sets it up with saveTicketTracker.',
  },
  TICKET_PROJECT_INVALID: {
    status: 422,
    message: 'The project is not {form}',
    remedy: 'Send owner/repository of GitHub, or the key of a Jira project.',
  },
})
