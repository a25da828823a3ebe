import { burpPageSize } from '../limits.ts'
import { group, operation, root, wide } from '../operation.ts'
import { actionErrors } from '../records/action-errors.ts'
import { burpEntry, burpExport, burpExtension } from '../records/burp.ts'
import { loginRecorder } from '../records/login-recorder.ts'
import { optional, required } from '../request-field.ts'
import { document, integer, list, model, nullable, text } from '../schema.ts'
import { filled } from '../wide-record.ts'

const sampleData = required(
  document(),
  'One sample message as JSON text, in the form fetchSampleData returns.',
  {
    default: null,
  },
)

/** Burp and recorded-flow helpers by their wire names, the misspelt one included. */
export const helperOperations = group('helpers', {
  importInBurp: operation({
    summary: 'Pages through the endpoints of a collection as raw requests and responses',
    description:
      'Endpoints of the collection (or group) that have a sample, ordered by stored url then method, each with its newest sample. Whole with the BURP key of a member or an administrator, because the extension sends them again, which is logged; for other callers credentials and values of sensitive data types are masked. The cursor is exclusive and applies only when both parts are sent; its values are the stored url and method, not the concrete url of an entry. A page ends early behind 4 MiB of messages. Both cursor fields are null together with the last page.',
    inSpecification: true,
    specified: 'full',
    request: {
      collectionName: required(text(), 'Name of the collection or group.'),
      lastUrlFetched: optional(
        text(),
        'Cursor: lastUrlFetched of the previous page; left out on the first call.',
      ),
      lastMethodFetched: optional(text(), 'Cursor: lastMethodFetched of the previous page.'),
      limit: optional(
        integer(),
        `Endpoints per page; values of 0 or less and above ${burpPageSize} mean ${burpPageSize}.`,
        { default: burpPageSize },
      ),
    },
    answer: root(
      model('ImportInBurpResult', 'One page of endpoints for a proxy’s site map.', {
        importInBurpResult: list(burpEntry),
        lastUrlFetched: nullable(text({ description: 'Cursor for the next call; null at the end.' })),
        lastMethodFetched: nullable(text({ description: 'Cursor for the next call; null at the end.' })),
        actionErrors,
      }),
    ),
    role: 'GUEST',
    access: 'read',
    keyKinds: ['BURP'],
    errors: ['INVALID_COLLECTION', 'DEACTIVATED_COLLECTION'],
    idempotent: true,
    example: {
      request: { collectionName: 'shop' },
      response: {
        importInBurpResult: [
          {
            url: 'https://api.shop.test/users?id=1',
            req: 'GET https://api.shop.test/users?id=1 HTTP/1.1\nHost: api.shop.test\n\n',
            res: 'HTTP/1.1 200 \nContent-type: application/json\n\n{}',
          },
        ],
        lastUrlFetched: null,
        lastMethodFetched: null,
        actionErrors: [],
      },
    },
  }),

  uploadRecordedFlow: operation({
    summary: 'Runs a recorded login and extracts its token',
    description:
      'Runs the recording in a browser that reaches the hosts its steps name and nothing else, and evaluates the command after the last step, in the page. Standard mode (no executor named) answers a null id; poll fetchRecordedFlowOutput without an id. Hybrid mode (an executor named) answers an id for polling; any process of this installation plays the flow. A flow may take 300 seconds in total, a step 15 unless it says otherwise, the command 30. Values ${totp}, ${totp[0]} … and otpauth:// URIs are replaced by one-time codes. The caller’s previous flow is discarded.',
    inSpecification: true,
    specified: 'partial',
    note: 'The step language is open there: a DevTools Recorder export ({title, steps}, with requests and totp beside them) and a bare array of {action} steps are accepted.',
    request: {
      content: required(document(), 'JSON text of the recorded login steps.'),
      tokenFetchCommand: required(text(), 'JavaScript expression that yields the token in the last page.'),
      roleName: required(text(), 'Test role to associate; must not be blank.'),
      miniTestingServiceName: optional(
        text(),
        'Executor that runs the flow; blank or null for the built-in browser.',
      ),
    },
    answer: wide(loginRecorder, ['testingRunPlaygroundId', 'screenshotSessionId', 'actionErrors'], {
      actionErrors: filled(actionErrors, []),
    }),
    role: 'MEMBER',
    access: 'write',
    errors: ['FLOW_ROLE_REQUIRED', 'FLOW_NOT_JSON', 'FLOW_INVALID'],
    idempotent: false,
    example: {
      request: {
        content: '{"title":"login","steps":[{"type":"navigate","url":"https://shop.test/login"}]}',
        tokenFetchCommand: "localStorage.getItem('token')",
        roleName: 'MEMBER',
      },
      response: {
        testingRunPlaygroundId: null,
        screenshotSessionId: 'b3f2c7de-0c7e-4c0e-9f0d-1f5f0f2f6a11',
        actionErrors: [],
      },
    },
  }),

  fetchRecordedFlowOutput: operation({
    summary: 'Polls a recorded flow for its token',
    description:
      'While the flow runs: token null and tokenFetchInProgress true. Then token holds JSON text {token, created_at, localStorage, all_cookies, cookieHeader} and tokenFetchInProgress is false. Results stay readable for 10 minutes, only to the owner, as it is a credential.',
    inSpecification: true,
    specified: 'open',
    note: 'Request and response are not shown there.',
    request: {
      testingRunPlaygroundId: optional(
        text(),
        'Id that uploadRecordedFlow returned in hybrid mode; left out for the caller’s own flow.',
      ),
      nodeId: optional(text(), 'Login step whose response.body.token variable receives the token.'),
    },
    answer: wide(loginRecorder, ['token', 'tokenFetchInProgress']),
    role: 'MEMBER',
    access: 'read',
    errors: ['NO_RECORDED_FLOW', 'RECORDED_FLOW_FAILED', 'INVALID_PLAYGROUND_ID'],
    idempotent: true,
    example: {
      request: { testingRunPlaygroundId: null, nodeId: 'x1' },
      response: {
        token: '{"token":"t0k","created_at":1769854500,"all_cookies":[],"cookieHeader":""}',
        tokenFetchInProgress: false,
      },
    },
  }),

  fetchRecordedLoginScreenshots: operation({
    summary: 'Shows the pictures of the last login flow of a role',
    description:
      'PNG pictures in base64 without data-URL prefix, in the order they were taken; kept also when the flow failed. No flow yet: an empty list and time 0.',
    inSpecification: true,
    specified: 'open',
    note: 'Request and response are not shown there.',
    request: {
      roleName: required(text(), 'The test role.'),
    },
    answer: wide(loginRecorder, ['screenshotsBase64', 'screenshotsUpdatedAt']),
    role: 'MEMBER',
    access: 'read',
    errors: ['FLOW_ROLE_REQUIRED'],
    idempotent: true,
    example: {
      request: { roleName: 'MEMBER' },
      response: { screenshotsBase64: ['iVBORw0KGgo='], screenshotsUpdatedAt: 1769854500 },
    },
  }),

  convertSamleDataToBurpRequest: operation({
    summary: 'Turns a sample message into a raw request',
    description:
      'The request of the message as raw HTTP text: path with query (a missing path is /), headers with a capital first letter, a Host header where it was missing, no Content-Length, lines ended by a line feed. The name is spelled so on the wire.',
    inSpecification: true,
    specified: 'open',
    note: 'Request and response are not shown there.',
    request: { sampleData },
    answer: wide(burpExport, ['burpRequest']),
    role: 'GUEST',
    access: 'read',
    errors: ['INVALID_SAMPLE_DATA'],
    idempotent: true,
    example: {
      request: {
        sampleData:
          '{"method":"GET","path":"https://api.shop.test/users?x=1","type":"HTTP/1.1","requestHeaders":"{}","requestPayload":"","statusCode":"200","status":"OK","responseHeaders":"{}","responsePayload":"{}","time":"1769854500","source":"HAR"}',
      },
      response: { burpRequest: 'GET /users?x=1 HTTP/1.1\nHost: api.shop.test\n\n' },
    },
  }),

  convertSampleDataToCurl: operation({
    summary: 'Turns a sample message into a curl command',
    description: 'The request of the message as one command line, quoted for a POSIX shell.',
    inSpecification: false,
    specified: 'open',
    note: 'Not an operation of the specification.',
    request: { sampleData },
    answer: wide(burpExport, ['curlString']),
    role: 'GUEST',
    access: 'read',
    errors: ['INVALID_SAMPLE_DATA'],
    idempotent: true,
    example: {
      request: {
        sampleData:
          '{"method":"GET","path":"https://api.shop.test/users?x=1","type":"HTTP/1.1","requestHeaders":"{}","requestPayload":"","statusCode":"200","status":"OK","responseHeaders":"{}","responsePayload":"{}","time":"1769854500","source":"HAR"}',
      },
      response: { curlString: "curl 'https://api.shop.test/users?x=1'" },
    },
  }),

  downloadBurpPluginJar: operation({
    summary: 'Records a download of the proxy extension',
    description:
      'Sets the caller’s lastDownloadTimestamp to now. It does not return the file: fetchBurpPluginDownloadLink says where it is.',
    inSpecification: true,
    specified: 'open',
    note: 'Request and response are not shown there.',
    request: {},
    answer: wide(burpExtension, []),
    role: 'GUEST',
    access: 'write',
    errors: [],
    idempotent: false,
    example: { request: {}, response: {} },
  }),

  fetchBurpPluginDownloadLink: operation({
    summary: 'Says where the proxy extension can be downloaded',
    description: 'The URL of the latest extension file, a setting of the installation.',
    inSpecification: true,
    specified: 'open',
    note: 'Request and response are not shown there.',
    request: {},
    answer: wide(burpExtension, ['burpGithubLink']),
    role: 'GUEST',
    access: 'read',
    errors: [],
    idempotent: true,
    example: {
      request: {},
      response: { burpGithubLink: 'https://downloads.example/vigil-burp.jar' },
    },
  }),

  fetchBurpCredentials: operation({
    summary: 'Finds or creates the key of the proxy extension',
    description:
      'The caller’s key of kind BURP, created on the first call and shown in full on each. host is the Origin of the call, else the base URL of the installation.',
    inSpecification: true,
    specified: 'open',
    note: 'Request and response are not shown there.',
    request: {},
    answer: wide(burpExtension, ['apiToken', 'host']),
    role: 'MEMBER',
    access: 'write',
    errors: ['BURP_TOKEN_FAILED'],
    idempotent: true,
    example: {
      request: {},
      response: {
        apiToken: {
          id: 1769854500,
          accountId: 1000000,
          name: 'burp',
          key: 'exampleexampleexampleexampleexampleexamp',
          timestamp: 1769854500,
          username: 'ada@example.org',
          utility: 'BURP',
          lastUsedTs: 0,
          expiresTs: 0,
        },
        host: 'http://127.0.0.1:9090',
      },
    },
  }),

  fetchBurpPluginInfo: operation({
    summary: 'Tells when the proxy extension last started and in which version',
    description: 'Null until the user downloaded or started the extension. Cheap enough to poll.',
    inSpecification: true,
    specified: 'open',
    note: 'Request and response are not shown there.',
    request: {},
    answer: wide(burpExtension, ['burpPluginInfo']),
    role: 'GUEST',
    access: 'read',
    errors: [],
    idempotent: true,
    example: {
      request: {},
      response: {
        burpPluginInfo: {
          username: 'ada@example.org',
          lastBootupTimestamp: 1769854500,
          lastBootUpTimestamp: 1769854500,
          lastDataSentTimestamp: 0,
          version: 5,
          lastDownloadTimestamp: 1769854000,
        },
      },
    },
  }),

  sendHealthCheck: operation({
    summary: 'Start signal of the proxy extension',
    description:
      'Records now as the caller’s lastBootupTimestamp and the version, and answers the newest version so that the extension can warn.',
    inSpecification: false,
    specified: 'open',
    note: 'Not an operation of the specification.',
    request: {
      version: required(integer(), 'Version of the extension; -1 when it does not know its own.', {
        alsoString: true,
      }),
    },
    answer: wide(burpExtension, ['latestVersion']),
    role: 'GUEST',
    access: 'write',
    keyKinds: ['BURP'],
    errors: [],
    idempotent: false,
    example: { request: { version: '5' }, response: { latestVersion: 5 } },
  }),
})
