/** What a new filter starts from. */
export const filterStarter = `id: ForgottenBackup
info:
  name: Request for a backup file
  description: A client requests a file that an editor or a backup left behind.
  severity: MEDIUM
  category: { name: RECONNAISSANCE, displayName: Reconnaissance }
  subCategory: FORGOTTEN_BACKUP
filter:
  url:
    regex: (?i)\\.(bak|old|orig|swp)$
`
