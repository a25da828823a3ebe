import { parentPort } from 'node:worker_threads'
import { type AnalysisTask, analyse } from './analysis.ts'

/* A thread that reads texts for the crawler, one at a time, so that a large bundle delays nothing else. */
parentPort?.on('message', (task: AnalysisTask) => {
  parentPort?.postMessage({ id: task.id, findings: analyse(task) })
})
