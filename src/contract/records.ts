export type { ApiCollection } from './records/api-collection.ts'
export type { ApiInfo, StiItem } from './records/api-info.ts'
export type { ApiToken } from './records/api-token.ts'
export type { BurpEntry, BurpPluginInfo } from './records/burp.ts'
export type { DataType } from './records/data-type.ts'
export type { EndpointKey } from './records/endpoint-key.ts'
export type {
  EndpointChange,
  EndpointDetail,
  EndpointOverview,
  ParameterRecord,
} from './records/endpoint-overview.ts'
export type { ConditionType, GroupCondition } from './records/group-condition.ts'
export type { ImportRow, ImportSummary } from './records/import-report.ts'
export type { ImportLog, OpenApiUploadDetails, PostmanUploadDetails } from './records/specification-object.ts'
export type { TemplateEvidence } from './records/template-evidence.ts'
export type { BucketStats, SampleData } from './records/traffic-object.ts'
export type { Invitation, User } from './records/user.ts'
