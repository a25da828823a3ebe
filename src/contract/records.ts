export type { ApiToken } from './records/api-token.ts'
export type { BurpEntry, BurpPluginInfo } from './records/burp.ts'
export type { EndpointKey } from './records/endpoint-key.ts'
export { httpMethods } from './records/endpoint-key.ts'
