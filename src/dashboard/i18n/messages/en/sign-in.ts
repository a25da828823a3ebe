/** Texts of the pages before sign-in. */
export const signIn = {
  'signIn.title': 'Sign in',
  'signIn.lead': 'The security inventory of your APIs.',
  'signIn.ended': 'Your session has ended',
  'signIn.endedNote': 'Sign in again to return to the page you were on.',
  'signIn.codeNote': 'What your authenticator app shows, or a recovery code.',
  'signIn.forgot': 'Forgot your password?',
  'signIn.with': 'Sign in with {provider}',
  'signIn.orPassword': 'or with a password',
  'signIn.noAnswer': 'The server does not answer. Is it running?',
  'signIn.failed': 'The sign-in failed. Try again; the server log has the cause.',
  'signIn.unreachable':
    'The sign-in provider does not answer. Try again in a minute; the server log has the cause.',
  'signIn.expired':
    'This sign-in took too long or was started in another browser. Start again and complete it within ten minutes.',
  'signIn.refused': 'The sign-in provider refused the sign-in. Try again; the server log has the cause.',
  'signIn.noEmail':
    'The sign-in provider sent no verified e-mail address. Verify your address there, then sign in again.',
  'signIn.noRole':
    'Your account gives no access to this installation. Ask an administrator for an invitation or a group with access.',
  'signIn.noAdmin':
    'The first account must be an administrator. Sign in with an account whose group has the role ADMIN.',
  'signIn.otherIdentity':
    'The account with your e-mail address belongs to another identity. Ask an administrator to remove it, then sign in again.',
  'signUp.first': 'Create the first account',
  'signUp.invited': 'Accept the invitation',
  'signUp.firstLead':
    'It becomes the administrator of this installation and can invite others. Nothing leaves this machine.',
  'signUp.invitedLead': 'The invitation is for one e-mail address; use that address.',
  'signUp.setupCode': 'Set-up code',
  'signUp.setupNote': 'The server printed it when it started, or the name of the file that holds it.',
  'signUp.invitationCode': 'Invitation code',
  'signUp.create': 'Create the account',
  'signUp.haveAccount': 'You have an account?',
  'reset.title': 'Reset your password',
  'reset.lead': 'Vigil mails you a link to choose a new one.',
  'reset.check': 'Check your mail',
  'reset.sent': 'If there is an account with this address, the link is on its way. It works for one hour.',
  'reset.send': 'Send the link',
  'reset.choose': 'Choose a new password',
  'reset.signedOut': 'You are signed out in all browsers.',
  'reset.isSet': 'The password is set',
  'reset.withCode': 'Sign in with it and a code of your authenticator app.',
  'reset.chooseLead': 'Afterwards you are signed out in all other browsers.',
  'reset.set': 'Set the password',
  'reset.back': 'Back to sign-in',
  'unreachable.lead': 'The dashboard was loaded, but the server does not answer its requests.',
  'unreachable.check':
    'Check that the process runs (start it again with {command}) and that {address} answers.',
  'unreachable.reason': 'Last failure: {reason}',
  'unreachable.retry': 'The dashboard keeps trying and opens once the server answers.',
  'unreachable.now': 'Try now',
} as const
