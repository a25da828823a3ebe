import type { Handler } from '../../handler.ts'

/** Uploads an OpenAPI file; its report is ready when fetchSwaggerImportLogs says so. */
export const importDataFromOpenApiSpec: Handler<'importDataFromOpenApiSpec'> = async (
  _input,
  { app, caller, rawBody },
) => ({
  uploadId: await app.imports.readDocument({
    operation: 'importDataFromOpenApiSpec',
    body: rawBody!,
    caller,
    importer: 'openapi',
  }),
})
