import { gatewayConfigs } from './gateway-configs.generated.ts'
import { batchCommand, sampleCommand } from './live-commands.ts'

/** A step of a recipe: what to do, and what to paste. */
interface RecipeStep {
  readonly text: string
  /** Name and text of what is pasted. */
  readonly paste?: readonly [name: string, text: string]
}

/** How one source of traffic is connected. */
interface Recipe {
  readonly name: string
  /** How its traffic arrives, and what of bodies. */
  readonly summary: string
  readonly steps: (server: string, key: string) => readonly RecipeStep[]
}

const LIVE = 'Messages arrive live'
const IMPORTED = 'Messages arrive when the log is imported'

/** Sends a log to this server, again after each rotation. */
function importStep(file: string, server: string, key: string): RecipeStep {
  return {
    text: 'Import the log on any machine with the vigil program, for example after each rotation.',
    paste: ['the import', `vigil import ${file} --collection shop --server ${server} --key ${key}`],
  }
}

/** Gives the key to an application without writing it into its source. */
function keyStep(key: string): RecipeStep {
  return {
    text: 'Set the key where the application is started. Keep it out of the source code.',
    paste: ['the variable', `export VIGIL_KEY=${key}`],
  }
}

const gateways = {
  nginx: {
    name: 'nginx',
    summary: `${IMPORTED}, with request bodies. With the njs module, response bodies, too (deploy/gateways/nginx-njs.conf).`,
    steps: (server, key) => [
      {
        text: 'Save this as /etc/nginx/vigil.conf.',
        paste: ['the log format', gatewayConfigs['nginx.conf']],
      },
      {
        text: 'Include it in the http block, and switch the log on in a server or location.',
        paste: [
          'the lines for nginx.conf',
          'include /etc/nginx/vigil.conf;\naccess_log /var/log/nginx/vigil.jsonl vigil;',
        ],
      },
      importStep('/var/log/nginx/vigil.jsonl.1', server, key),
    ],
  },
  kong: {
    name: 'Kong',
    summary: `${LIVE}, with headers and their values, without bodies.`,
    steps: (server, key) => [
      {
        text: 'Enable the http-log plugin for all services, or for one. Kong has to reach this address.',
        paste: [
          'the plugin',
          [
            'plugins:',
            '  - name: http-log',
            '    config:',
            `      http_endpoint: ${server}/api/ingestData`,
            '      headers:',
            `        x-api-key: ${key}`,
            '',
          ].join('\n'),
        ],
      },
    ],
  },
  envoy: {
    name: 'Envoy',
    summary: `${IMPORTED}, without bodies. With the tap filter, bodies, too (deploy/gateways/envoy-tap.yaml).`,
    steps: (server, key) => [
      {
        text: 'Add an access log to the HTTP connection manager.',
        paste: [
          'the access log',
          [
            'access_log:',
            '  - name: envoy.access_loggers.file',
            '    typed_config:',
            '      "@type": type.googleapis.com/envoy.extensions.access_loggers.file.v3.FileAccessLog',
            '      path: /var/log/envoy/vigil.jsonl',
            '      log_format:',
            '        json_format:',
            '          start_time: "%START_TIME%"',
            '          method: "%REQ(:METHOD)%"',
            '          path: "%REQ(X-ENVOY-ORIGINAL-PATH?:PATH)%"',
            '          authority: "%REQ(:AUTHORITY)%"',
            '          response_code: "%RESPONSE_CODE%"',
            '          downstream_remote_address: "%DOWNSTREAM_REMOTE_ADDRESS%"',
            '          duration: "%DURATION%"',
            '',
          ].join('\n'),
        ],
      },
      importStep('/var/log/envoy/vigil.jsonl', server, key),
    ],
  },
  haproxy: {
    name: 'HAProxy 2.6 or newer',
    summary: `${IMPORTED}, with request bodies up to 16,000 bytes.`,
    steps: (server, key) => [
      {
        text: 'Put these lines into a frontend. The first ones say what the global section needs.',
        paste: ['the lines for the frontend', gatewayConfigs['haproxy.cfg']],
      },
      importStep('/var/log/haproxy/vigil.jsonl', server, key),
    ],
  },
  apache: {
    name: 'Apache 2.4',
    summary: `${IMPORTED}, without bodies.`,
    steps: (server, key) => [
      {
        text: 'Add this log format to the server configuration.',
        paste: ['the log format', gatewayConfigs['apache.conf']],
      },
      {
        text: 'Switch the log on in a virtual host.',
        paste: ['the line for the virtual host', 'CustomLog /var/log/apache2/vigil.log vigil'],
      },
      importStep('/var/log/apache2/vigil.log.1', server, key),
    ],
  },
  caddy: {
    name: 'Caddy 2',
    summary: `${IMPORTED}, without bodies.`,
    steps: (server, key) => [
      {
        text: 'Put this before the sites of the Caddyfile.',
        paste: ['the snippet', gatewayConfigs['caddy.conf']],
      },
      { text: 'Switch the log on in a site.', paste: ['the line for the site', 'import vigil'] },
      importStep('/var/log/caddy/vigil.jsonl', server, key),
    ],
  },
  aws: {
    name: 'AWS load balancers and API Gateway',
    summary: `${IMPORTED}, without bodies.`,
    steps: (server, key) => [
      {
        text: 'Load balancers: switch access logs on, and unpack the objects of the bucket (gunzip). API Gateway: set the format of the stage’s access log to this line.',
        paste: [
          'the log format',
          '{"requestTime":"$context.requestTime","httpMethod":"$context.httpMethod","path":"$context.path","status":"$context.status","domainName":"$context.domainName","ip":"$context.identity.sourceIp","userAgent":"$context.identity.userAgent","responseLatency":"$context.responseLatency"}',
        ],
      },
      importStep('access.log', server, key),
    ],
  },
} as const satisfies Readonly<Record<string, Recipe>>

const applications = {
  node: {
    name: 'Node.js: Express, Fastify, Koa, Hono, Nest',
    summary: `${LIVE}, with JSON and form bodies. Credentials are redacted before anything is sent.`,
    steps: (server, key) => [
      {
        text: 'Install the middleware from a clone of Vigil (npm install ./sdk/node), and put it before the other middleware.',
        paste: [
          'the middleware',
          `import { createVigil } from 'vigil-middleware'\n\nconst vigil = createVigil({ url: '${server}', key: process.env.VIGIL_KEY })\n\napp.use(vigil.express()) // Fastify: await app.register(vigil.fastify()), Koa: app.use(vigil.koa()), Hono: app.use(vigil.hono())`,
        ],
      },
      keyStep(key),
    ],
  },
  python: {
    name: 'Python: Django, Flask, FastAPI',
    summary: `${LIVE}, with JSON and form bodies. Credentials are redacted before anything is sent.`,
    steps: (server, key) => [
      {
        text: 'Install the middleware from a clone of Vigil (pip install ./sdk/python), and wrap the application.',
        paste: [
          'the middleware',
          `import os\nfrom vigil_middleware import Vigil\n\nvigil = Vigil("${server}", os.environ["VIGIL_KEY"])\n\napp = vigil.asgi(app)                      # FastAPI, Starlette\napp.wsgi_app = vigil.wsgi(app.wsgi_app)    # Flask\napplication = vigil.wsgi(application)      # Django`,
        ],
      },
      keyStep(key),
    ],
  },
  go: {
    name: 'Go: any http.Handler',
    summary: `${LIVE}, with JSON and form bodies. Credentials are redacted before anything is sent.`,
    steps: (server, key) => [
      {
        text: 'Copy sdk/go of Vigil into the repository, name it in go.mod, and wrap the handler.',
        paste: [
          'the middleware',
          `// go.mod: replace vigil/middleware => ./vigil\nclient, err := vigil.New(vigil.Options{URL: "${server}", Key: os.Getenv("VIGIL_KEY")})\nif err != nil {\n\tlog.Fatal(err)\n}\nserver := &http.Server{Addr: ":8080", Handler: client.Handler(mux)}`,
        ],
      },
      keyStep(key),
    ],
  },
  opentelemetry: {
    name: 'OpenTelemetry',
    summary: `${LIVE}, without bodies and credentials.`,
    steps: (server, key) => [
      {
        text: 'Point the exporter of the application, or of a collector, at this server.',
        paste: [
          'the variables',
          `OTEL_EXPORTER_OTLP_ENDPOINT=${server}/api/otlp\nOTEL_EXPORTER_OTLP_HEADERS=x-api-key=${key}\nOTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf`,
        ],
      },
    ],
  },
} as const satisfies Readonly<Record<string, Recipe>>

const others = {
  http: {
    name: 'A program of your own (HTTP)',
    summary: `${LIVE}, with everything that you send.`,
    steps: (server, key) => [
      {
        text: 'Send one message. It goes to the collection of its host header; a new host makes a new collection.',
        paste: ['the command for one message', sampleCommand(server, key)],
      },
      {
        text: 'Send batches of up to 10,000 messages. The response comes when they are stored durably. After 429 or 503, send the same batch again when Retry-After says.',
        paste: ['the command for batches', batchCommand(server, key)],
      },
    ],
  },
  stream: {
    name: 'Kafka or NATS JetStream',
    summary: `${LIVE}, with everything that the collectors publish.`,
    steps: () => [
      {
        text: 'Start the server with the address of the broker; it reads the topic akto.api.logs unless VIGIL_STREAM_TOPIC names another.',
        paste: [
          'the commands',
          'npm install -g vigil-api @platformatic/kafka\nVIGIL_STREAM_URL=kafka://kafka-1:9092 vigil start\n\n# NATS: npm install -g vigil-api @nats-io/transport-node @nats-io/jetstream\n# VIGIL_STREAM_URL=nats://nats-1:4222 vigil start',
        ],
      },
    ],
  },
  proxy: {
    name: 'A browser or a test suite',
    summary: `${LIVE}, with bodies up to 1 MB, HTTPS too.`,
    steps: (server, key) => [
      {
        text: 'Record what a command sends. Without a command, the proxy records what a browser sends to 127.0.0.1:8080, until Ctrl-C.',
        paste: ['the proxy', `vigil proxy --collection shop --server ${server} --key ${key} -- npm test`],
      },
    ],
  },
  packets: {
    name: 'Mirrored packets',
    summary: 'Messages arrive when the capture is imported, with bodies. For unencrypted traffic.',
    steps: (server, key) => [
      {
        text: 'Capture where the traffic is not encrypted. AWS VPC Traffic Mirroring arrives as “udp port 4789”, Geneve as “udp port 6081”.',
        paste: ['the capture', 'tcpdump -i any -w shop.pcap tcp port 8080'],
      },
      importStep('shop.pcap', server, key),
    ],
  },
} as const satisfies Readonly<Record<string, Recipe>>

/** Sources of traffic by their name in the address. */
export const recipes: Readonly<Record<string, Recipe>> = { ...gateways, ...applications, ...others }

/** Sources as choices of a list. */
export const recipeChoices = (
  [
    ['Gateways and web servers', gateways],
    ['Applications', applications],
    ['Other sources', others],
  ] as const
).map(([group, found]) => ({
  group,
  items: Object.entries<Recipe>(found).map(([value, { name }]) => ({ value, label: name })),
}))
