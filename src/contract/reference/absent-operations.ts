/** Operations that clients of the reference platform call and Vigil does not have, with what answers the same question. */
const absentOperations: Readonly<Record<string, string>> = {
  checkIfDependencyGraphAvailable:
    'requests are ordered by what runs learn of them; there is no graph to ask for',
  fetchAdminSettings: 'settings are of the process: vigil config, or GET /health',
  fetchAktoGptConfig: 'Vigil uses no language model',
  fetchCodeAnalysisApiInfos: 'Vigil does not read source code; import an API description',
  fetchCountMapOfApis: 'call getAllCollections, which has the number of endpoints of each collection',
  fetchNewParametersTrend:
    'call loadParamsOfEndpoint, whose parameters have the time when they were seen first',
  fetchPropertyIds: 'there are no custom properties of endpoints; call searchEndpoints with tags',
  fetchQuickStartPageState: 'call fetchTrafficLedger, which counts what arrived from each source',
  fetchRecentParams: 'call loadParamsOfEndpoint for one endpoint',
  fetchSensitiveParamsForEndpoints: 'call searchEndpoints with SENSITIVE_TYPE, then loadParamsOfEndpoint',
  fetchVulnerableRequests: 'call fetchAllIssues, then fetchIssueFromTestRunResultDetails for the messages',
  findTotalIssues: 'call fetchSeverityInfoForIssues, or findTotalIssuesByDay for a period',
  getCustomerEndpoints: 'call getAllCollections for each collection with its number of endpoints',
  loadSensitiveParameters: 'call searchEndpoints with SENSITIVE_TYPE, then loadParamsOfEndpoint',
}

/** What to do instead of calling an operation of the reference; undefined for a name that it does not have either. */
export function absentOperation(name: string): string | undefined {
  return Object.hasOwn(absentOperations, name) ? absentOperations[name] : undefined
}
