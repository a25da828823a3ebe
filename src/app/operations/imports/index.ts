import type { Handlers } from '../../handler.ts'
import { deletePostmanImportLogs } from './deletePostmanImportLogs.ts'
import { fetchImportReport } from './fetchImportReport.ts'
import { fetchImports } from './fetchImports.ts'
import { fetchTrafficLedger } from './fetchTrafficLedger.ts'
import { importDataFromOpenApiSpec } from './importDataFromOpenApiSpec.ts'
import { importDataFromPostmanFile } from './importDataFromPostmanFile.ts'
import { importSwaggerLogs } from './importSwaggerLogs.ts'
import { importTraffic } from './importTraffic.ts'
import { ingestData } from './ingestData.ts'
import { ingestPostman } from './ingestPostman.ts'
import { uploadHar } from './uploadHar.ts'

/** The ways in: files, live batches, crawler data. */
export const importHandlers = {
  deletePostmanImportLogs,
  fetchImportReport,
  fetchImports,
  fetchTrafficLedger,
  importDataFromOpenApiSpec,
  importDataFromPostmanFile,
  importSwaggerLogs,
  importTraffic,
  ingestData,
  ingestPostman,
  uploadHar,
} satisfies Handlers
