import { document, epochSeconds, integer, list, model, text } from '../schema.ts'
import { filled, wideRecord } from '../wide-record.ts'
import { apiToken } from './api-token.ts'

export const burpEntry = model('BurpEntry', 'One endpoint with its newest sample as raw HTTP text.', {
  url: text({ description: 'Absolute URL of the sample with its query.' }),
  req: document({ description: 'Raw request; lines end with a line feed.' }),
  res: document({ description: 'Raw response; lines end with a line feed.' }),
})

const burpPluginInfo = model('BurpPluginInfo', 'What is known of the caller’s proxy extension.', {
  username: text({ description: 'E-mail address of the user.' }),
  lastBootupTimestamp: epochSeconds('When the extension last started; 0 for never.'),
  lastBootUpTimestamp: epochSeconds('The same value under its second spelling.'),
  lastDataSentTimestamp: epochSeconds('When it last exported traffic; 0 for never.'),
  version: integer({ description: 'Version of the extension; 0 when unknown.' }),
  lastDownloadTimestamp: epochSeconds('When the user last downloaded it; 0 for never.'),
})

export const burpExport = wideRecord('BurpExport', 'Shared answer of the conversions to text.', {
  importInBurpResult: filled(list(burpEntry), null),
  lastUrlFetched: filled(text(), null),
  lastMethodFetched: filled(text(), null),
  burpRequest: filled(document({ description: 'Raw HTTP request.' }), null),
  curlString: filled(document({ description: 'Command line for curl.' }), null),
  accountId: filled(integer(), 0),
})

export const burpExtension = wideRecord('BurpExtension', 'Shared answer of the proxy extension operations.', {
  apiToken: filled(apiToken, null),
  host: filled(text({ description: 'Base URL of this installation, with scheme.' }), null),
  burpGithubLink: filled(text({ description: 'Where the extension file is.' }), null),
  burpPluginInfo: filled(burpPluginInfo, null),
  latestVersion: filled(integer({ description: 'Newest version of the extension.' }), 0),
})
