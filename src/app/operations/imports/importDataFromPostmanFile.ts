import type { Handler } from '../../handler.ts'

/** Uploads a Postman collection; its report is ready when fetchPostmanImportLogs says so. */
export const importDataFromPostmanFile: Handler<'importDataFromPostmanFile'> = async (
  _input,
  { app, caller, rawBody },
) => ({
  uploadId: await app.imports.readDocument({
    operation: 'importDataFromPostmanFile',
    body: rawBody!,
    caller,
    importer: 'postman',
  }),
})
