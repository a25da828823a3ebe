import type { ResultFilter } from '../../../testing/index.ts'

/** Filters of results as clients send them: name of a filter to its values. */
export type SentFilters = Readonly<Record<string, readonly (string | number)[]>> | null

function texts(sent: SentFilters, name: string): string[] {
  return sent !== null && Object.hasOwn(sent, name) ? sent[name]!.map(String) : []
}

function numbers(sent: SentFilters, name: string): number[] {
  return texts(sent, name).map(Number).filter(Number.isSafeInteger)
}

/** The filters that a list of results knows; others are ignored. */
export function readResultFilters(sent: SentFilters): Partial<ResultFilter> {
  return {
    methods: texts(sent, 'method'),
    collectionIds: [...numbers(sent, 'apiCollectionId'), ...numbers(sent, 'collectionIds')],
    categories: texts(sent, 'categoryFilter'),
    severities: texts(sent, 'severityStatus'),
    testIds: texts(sent, 'testFilter'),
    urls: texts(sent, 'apiNameFilter'),
    statusCodes: numbers(sent, 'responseCodeFilter'),
    reasons: texts(sent, 'reasonFilter'),
  }
}

/** The filters that a list of runs knows. */
export function readRunFilters(sent: SentFilters): { severities: string[]; collectionIds: number[] } {
  return { severities: texts(sent, 'severity'), collectionIds: numbers(sent, 'apiCollectionId') }
}
