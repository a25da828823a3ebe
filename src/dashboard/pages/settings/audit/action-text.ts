/** Names that do not read well when they are taken apart. */
const NAMES: Readonly<Record<string, string>> = {
  signIn: 'Sign in',
  signUp: 'Sign up',
  logout: 'Sign out',
  addApiToken: 'Create API key',
  deleteApiToken: 'Delete API key',
  deMergeApi: 'Split path template',
  startTest: 'Start test run',
  stopTest: 'Stop test run',
}

/** The name of an operation as words: `updateUserRole` → "Update user role". */
export function actionText(action: string): string {
  const known = NAMES[action]
  if (known !== undefined) return known
  const words = action.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(' ')
  const text = words.map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase())).join(' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}
