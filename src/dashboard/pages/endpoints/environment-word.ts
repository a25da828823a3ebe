/** An environment as people say it: `STAGING` is "Staging". */
export function environmentWord(environment: string): string {
  return environment.charAt(0) + environment.slice(1).toLowerCase().replaceAll('_', ' ')
}
