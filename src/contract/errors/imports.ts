import { errorRows } from './row.ts'

/** Errors of file imports and of the live batch. */
export const importErrors = errorRows({
  TRAFFIC_COLLECTION_TARGET: {
    status: 422,
    message: "Traffic mirroring collection can't be used",
    remedy:
      'Import recordings into a new or manual collection; a traffic collection accepts only specifications.',
  },
  GROUP_TARGET: {
    status: 422,
    message: "API groups can't be used",
    remedy: 'Import into a collection that is not a group.',
  },
  DEACTIVATED_TARGET: {
    status: 422,
    message: "Deactivated collection can't be used, please create a new collection.",
    remedy: 'Choose another collection, or activate this one.',
  },
  OPENAPI_GROUP_TARGET: {
    status: 422,
    message: "Can't upload OpenAPI file for collection groups",
    remedy: 'Upload into a collection that is not a group, or omit the collection to create one.',
  },
  INVALID_HAR: {
    status: 422,
    message: 'Invalid HAR file: {reason}',
    remedy: 'Export the recording again; the file must contain log.entries.',
  },
  INVALID_OPENAPI: {
    status: 422,
    message: 'Invalid OpenAPI file: {reason}',
    remedy: 'Send OpenAPI 3.0, 3.1 or Swagger 2.0 as JSON or YAML.',
  },
  INVALID_POSTMAN: {
    status: 422,
    message: 'Invalid Postman collection: {reason}',
    remedy: 'Export the collection as v2.0 or v2.1.',
  },
  INVALID_GRAPHQL: {
    status: 422,
    message: 'Invalid GraphQL schema: {reason}',
    remedy: 'Send the schema definition language, or the whole JSON answer to an introspection query.',
  },
  INVALID_BASE_URL: {
    status: 422,
    message: 'The base URL is not an address',
    remedy:
      'Send an http or https URL, such as https://shop.example/graphql, or a path that begins with a slash.',
  },
  INVALID_FIELD_MAPPING: {
    status: 422,
    message: 'A field of an access log cannot be called {name}',
    remedy: 'Use these names, each with what the log calls it: {known}.',
  },
  INVALID_BURP_XML: {
    status: 422,
    message: 'Invalid Burp export: {reason}',
    remedy: 'Use "Save items" with base64 encoding on.',
  },
  INVALID_IMPORT: {
    status: 422,
    message: 'The file cannot be read: {reason}',
    remedy:
      'Send HAR, OpenAPI, Postman, GraphQL, AsyncAPI, WSDL, .proto, Burp XML, an access log, a packet capture, curl, raw HTTP or sample messages.',
  },
  INVALID_TRACES: {
    status: 400,
    message: 'Invalid OTLP request: {reason}',
    remedy: 'Send an ExportTraceServiceRequest as application/x-protobuf or application/json.',
  },
  UNKNOWN_FORMAT: {
    status: 422,
    message: 'The file format was not recognized; supported formats: {known}',
    remedy:
      'Name the format, or send HAR, OpenAPI, Postman, GraphQL, Burp XML, curl, raw HTTP or sample messages.',
  },
  IMPORT_EMPTY: {
    status: 422,
    message: 'The file is empty',
    remedy: 'Choose another file.',
  },
  IMPORT_TOO_LARGE: {
    status: 413,
    message: '{format}: {size} bytes exceed the limit of {limit}',
    remedy: 'Split the file; a large YAML document can be converted to JSON, which has a higher limit.',
  },
  IMPORT_NO_TEXT: {
    status: 422,
    message: 'The file is {kind}, not text',
    remedy: 'Unpack archives first; export recordings as HAR.',
  },
  JSON_INVALID: {
    status: 422,
    message: 'Invalid JSON at line {line}, column {column}: {reason}',
    remedy: 'Correct the text at that place.',
  },
  JSON_TOO_LARGE: {
    status: 413,
    message: 'JSON of {size} characters exceeds the limit of {limit}',
    remedy: 'Split the text.',
  },
  JSON_OVER_LIMIT: {
    status: 422,
    message: 'JSON at line {line}, column {column}: {reason}',
    remedy: 'Flatten or split the text.',
  },
  SAMPLE_MESSAGE_INVALID: {
    status: 422,
    message: 'Not a valid HTTP sample: {reason}',
    remedy: 'Send one sample message as JSON text, in the form fetchSampleData returns.',
  },
  RAW_HTTP_INVALID: {
    status: 422,
    message: 'Not a raw HTTP message: {reason}',
    remedy: 'Send a start line, headers and, after an empty line, the body.',
  },
  IMPORT_TARGET_REQUIRED: {
    status: 422,
    message: 'apiCollectionName or apiCollectionId is required',
    remedy: 'Name the collection that receives the import.',
  },
  UPLOAD_ID_REQUIRED: {
    status: 422,
    message: 'uploadId is required',
    remedy: 'Send the uploadId that the upload returned.',
  },
  INVALID_UPLOAD_ID: {
    status: 422,
    message: 'Invalid uploadId',
    remedy: 'Send the uploadId that the upload returned; reports of deleted uploads are gone.',
  },
  POSTMAN_UPLOAD_ID_REQUIRED: {
    status: 422,
    message: 'Upload id is required',
    remedy: 'Send the uploadId that importDataFromPostmanFile returned.',
  },
  INVALID_POSTMAN_UPLOAD_ID: {
    status: 422,
    message: 'Invalid upload id',
    remedy: 'Send the uploadId that importDataFromPostmanFile returned.',
  },
  UPLOAD_NOT_READY: {
    status: 422,
    message: 'The upload is still being read',
    remedy: 'Poll its import logs until the status is SUCCEEDED.',
  },
  UPLOAD_FAILED: {
    status: 422,
    message: 'The upload could not be read: {reason}',
    remedy: 'Correct the file and upload it again.',
  },
  TOO_MANY_MESSAGES: {
    status: 422,
    message: 'A batch can contain at most {limit} messages',
    remedy: 'Send smaller batches.',
  },
  DOCUMENT_NOT_FETCHED: {
    status: 502,
    message: '{url} could not be fetched: {reason}',
    remedy: 'Check the URL, or save the document and name the file.',
  },
})
