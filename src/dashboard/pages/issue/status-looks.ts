/** How the statuses of issues look. */
export const statusLooks = {
  OPEN: { word: 'Open', tone: 'red' },
  IGNORED: { word: 'Ignored', tone: 'gray' },
  FIXED: { word: 'Fixed', tone: 'green' },
} as const
