/** What a new filter starts from. */
export const filterStarter = `id: ForgottenBackup
info:
  name: Backup asked for
  description: Somebody asks for a file that was left behind by an editor or a backup.
  severity: MEDIUM
  category: { name: RECONNAISSANCE, displayName: Reconnaissance }
  subCategory: FORGOTTEN_BACKUP
filter:
  url:
    regex: (?i)\\.(bak|old|orig|swp)$
`
