import { dataType, example } from '../data-type.ts'

const URI = /^[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/?#@]{0,200}:[^\s/?#@]{1,200}@[^\s/?#]+/i
const KEY_VALUE = /(?:^|;)\s*(?:password|pwd|accountkey|sharedaccesskey)\s*=\s*[^;\s]{3,}/i
const PASSWORD_PARAMETER = /[?&;](?:password|pwd)=[^&;\s]{3,}/i

export default dataType({
  name: 'CONNECTION_STRING',
  summary: 'A connection to a database, cache or queue with its password: URI, JDBC or key-value form.',
  category: 'SECRET',
  severity: 'CRITICAL',
  sensitiveIn: 'ALWAYS',
  evidence: 'PROOF',
  mayMatch: {
    length: [16, 2048],
    starts: [
      'mongodb',
      'postgres',
      'mysql',
      'mariadb',
      'redis',
      'amqp',
      'mssql',
      'sqlserver',
      'oracle',
      'cockroach',
      'clickhouse',
      'cassandra',
      'couchdb',
      'neo4j',
      'bolt',
      'nats',
      'jdbc:',
      'Server=',
      'server=',
      'Data Source=',
      'data source=',
      'DefaultEndpointsProtocol=',
      'Endpoint=',
      'Host=',
      'host=',
      'User ID=',
      'Provider=',
    ],
  },
  verify(value) {
    if (value.startsWith('jdbc:')) return PASSWORD_PARAMETER.test(value) || URI.test(value.slice(5)) ? 97 : 0
    return (value.includes('://') ? URI.test(value) : false) || KEY_VALUE.test(value) ? 97 : 0
  },
  cases: [
    {
      value: example('postgres://app:s3cret', '@db.shop.test:5432/shop'),
      key: 'v',
      expect: true,
      because: 'PostgreSQL',
    },
    {
      value: example('mongodb+srv://app:s3cret', '@cluster0.shop.test/x'),
      key: 'uri',
      expect: true,
      because: 'MongoDB',
    },
    {
      value: example('redis://:s3cret', '@cache.shop.test:6379'),
      key: 'v',
      expect: true,
      because: 'Redis without user',
    },
    {
      value: example('Server=db;Database=shop;User Id=app;Pass', 'word=s3cret;'),
      key: 'v',
      expect: true,
      because: 'SQL Server',
    },
    {
      value: example('jdbc:mysql://db/shop?user=app&pass', 'word=s3cret'),
      key: 'v',
      expect: true,
      because: 'JDBC',
    },
    { value: 'postgres://db.shop.test:5432/shop', key: 'v', expect: false, because: 'no password' },
    { value: 'redis is a fine cache for this', key: 'text', expect: false, because: 'a sentence' },
  ],
})
