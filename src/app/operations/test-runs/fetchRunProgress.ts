import { Failure, nowSeconds } from '../../../kit/index.ts'
import {
  type EndpointKey,
  findExecution,
  hostProgress,
  plannedChecks,
  resultCells,
  resultKeys,
} from '../../../testing/index.ts'
import type { Handler } from '../../handler.ts'
import { maySee } from '../../require-collection.ts'
import { readHexId } from './hex-id.ts'
import { type Cell, emptyCell, wireRow } from './wire-coverage.ts'

/** How far an execution is. */
export const fetchRunProgress: Handler<'fetchRunProgress'> = async (input, { app, caller }) => {
  const { store } = app
  const id = readHexId(input.testingRunResultSummaryHexId, 'INVALID_TEST_SUMMARY_ID')
  const execution = await findExecution(store, id, caller.collectionIds)
  if (execution === undefined) throw new Failure('TEST_RUN_SUMMARY_NOT_FOUND', {})
  const now = nowSeconds()
  const [hosts, { checks: planned, isComplete }, cells, keys] = await Promise.all([
    hostProgress(store, id, now),
    plannedChecks(store, id),
    resultCells(store, id, caller.collectionIds),
    resultKeys(store, id),
  ])
  const known = new Set(planned.map(({ endpoint, testId }) => `${testId} ${textOf(endpoint)}`))
  const done = keys.filter((key) => known.has(`${key.testId} ${textOf(key)}`)).length
  const tests = await app.catalogue.byIds([...new Set(planned.map(({ testId }) => testId))])
  const matrix = new Matrix()
  for (const { collectionId, method, url, ...cell } of cells)
    Object.assign(matrix.cell({ collectionId, method, url }, cell.category), cell)
  const categoryOf = new Map(tests.map((test) => [test.id, test.category]))
  for (const { endpoint, testId } of planned)
    if (maySee(caller, endpoint.collectionId))
      matrix.cell(endpoint, categoryOf.get(testId) ?? testId).planned++
  const rows = matrix.rows()
  const requests = hosts.reduce((sum, host) => sum + host.requests, 0)
  const since = Math.max(1, Math.min(60, now - execution.startedAt))
  const isRunning = execution.state === 'RUNNING'
  return {
    planned: planned.length,
    done,
    isTotalExact: isComplete,
    requests,
    requestsPerSecond: isRunning ? hosts.reduce((sum, host) => sum + host.recent, 0) / since : 0,
    secondsLeft:
      isRunning && isComplete ? secondsLeft(planned.length, done, now - execution.startedAt) : null,
    hosts: hosts.map(({ recent: _, ...host }) => host),
    categories: matrix.categories(),
    rows: rows.slice(Math.max(0, input.skip), Math.max(0, input.skip) + input.limit).map(wireRow),
    rowsCount: rows.length,
  }
}

/** From the checks done so far; null before one is. */
function secondsLeft(planned: number, done: number, seconds: number): number | null {
  return done === 0 || planned === 0 ? null : Math.ceil((seconds / done) * Math.max(0, planned - done))
}

function textOf({ collectionId, method, url }: EndpointKey): string {
  return `${collectionId} ${method} ${url}`
}

interface Row {
  readonly endpoint: EndpointKey
  readonly cells: Map<string, Cell>
}

/** Cells by endpoint and family of tests. */
class Matrix {
  readonly #rows = new Map<string, Row>()

  cell(endpoint: EndpointKey, category: string): Cell {
    const row = this.#rows.get(textOf(endpoint)) ?? { endpoint, cells: new Map<string, Cell>() }
    this.#rows.set(textOf(endpoint), row)
    const cell = row.cells.get(category) ?? emptyCell(category)
    row.cells.set(category, cell)
    return cell
  }

  categories(): string[] {
    return [...new Set([...this.#rows.values()].flatMap(({ cells }) => [...cells.keys()]))].sort()
  }

  /** Endpoints with findings first, then those with the most checks. */
  rows(): { endpoint: EndpointKey; cells: Cell[] }[] {
    const rows = [...this.#rows.values()].map(({ endpoint, cells }) => ({
      endpoint,
      cells: [...cells.values()],
    }))
    const sum = (cells: readonly Cell[], key: 'vulnerable' | 'planned'): number =>
      cells.reduce((total, cell) => total + cell[key], 0)
    return rows.sort(
      (a, b) =>
        sum(b.cells, 'vulnerable') - sum(a.cells, 'vulnerable') ||
        sum(b.cells, 'planned') - sum(a.cells, 'planned') ||
        (textOf(a.endpoint) < textOf(b.endpoint) ? -1 : 1),
    )
  }
}
