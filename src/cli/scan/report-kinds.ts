/** Formats of reports, by their options. */
export const reportKinds = ['sarif', 'junit', 'json', 'jsonl', 'markdown', 'html'] as const
/** One of {@link reportKinds}. */
export type ReportKind = (typeof reportKinds)[number]
