export type { DataSource, Exchange, HeaderList, RequestMessage, ResponseMessage } from './exchange.ts'
export { DATA_SOURCES, headerValue, headerValues } from './exchange.ts'
