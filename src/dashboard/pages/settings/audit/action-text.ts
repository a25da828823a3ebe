/** Names that do not read well when they are taken apart. */
const NAMES: Readonly<Record<string, string>> = {
  signIn: 'Sign in',
  signUp: 'Sign up',
  logout: 'Sign out',
  addApiToken: 'Create API key',
  deleteApiToken: 'Delete API key',
  uploadHar: 'Import HAR',
  deMergeApi: 'Split path template',
  startTest: 'Start test run',
  stopTest: 'Stop test run',
  // Of these only requests for unmasked values are logged.
  exportTestResultEvidence: 'Show evidence unmasked',
  fetchAggregateMaliciousRequests: 'Show messages of an event unmasked',
  fetchSampleData: 'Show samples unmasked',
  fetchSensitiveSampleData: 'Show sensitive samples unmasked',
  fetchSuspectSampleData: 'Show events unmasked',
}

/** The name of an operation as words: `updateUserRole` → "Update user role". */
export function actionText(action: string): string {
  const known = NAMES[action]
  if (known !== undefined) return known
  const words = action.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(' ')
  const text = words
    .map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ')
    .replace(/\bapi(s?)\b/g, 'API$1')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
