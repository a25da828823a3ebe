import { readFileSync } from 'node:fs'
import type { Exchange } from '../../src/http/index.ts'

/** Texts that people write without meaning harm, and that careless filters take for attacks. */
const TEXTS: readonly string[] = [
  // Names and places.
  "O'Brien",
  "D'Angelo & Söhne",
  "Niall O'Connor and Sean O'Neill",
  "'s-Hertogenbosch",
  'Drop Table Tennis Club',
  'Union Select Hardware',
  'St. Mary or St. Ann = one parish',
  'Robert "Bob" Tables',
  'R&D; id-cards; sort & find',
  'Müller–Lüdenscheidt GmbH',
  'Łódź, ul. Piotrkowska 1/2',
  '山田太郎（ヤマダ　タロウ）',
  'ＡＢＣ株式会社',
  'ﬁne coffee ½ price №5',
  // Prose with words of query languages and shells.
  'Select the best option from the list where the price is lower, or delete the item.',
  'Please update the set of order items and insert two more lines; drop me a note when done.',
  "Where 1 or 2 sizes fit, choose the larger; 'and' or 'or' both work in the search field.",
  'The union will select its delegates; execute the plan, then grant leave to all.',
  "It's either 5 or 6 = eleven in total; size 8 and 9 are out of stock -- sorry.",
  'Echo the cat & find the dog; more or less, sort of; who is the host? Sleep 8 hours.',
  'Use kill switch; touch the screen, mount the shelf | head of sales: Ann | tail light broken',
  'I ran ping and curl; curl is great, wget too. Set the date; export the list; test it; id please',
  'Alert: the alarm (sound) is on. Confirm the order. Prompt delivery (2 days)!',
  'On load = 5 kg, on start = 3 kg; on error please call. Onion soup = best.',
  'See section 1.2 (a) and (b); see also (c) or (d) :-) (-: |o_O| *)(*',
  'Prices: $5 {{about}} 100% off?! #1 @home ~20 <3 >_< =^.^= \\o/ ../ etc.',
  'file names: report.final.v2.pdf, a.php.txt.old notes, ../images/logo.png, C:\\Users\\ann\\Desktop\\list.txt',
  'Reply above this line\nFrom: Ann <ann@shop.example>\nTo: help@shop.example\nSubject: Re: order 5\n\nThanks',
  'JavaScript: The Definitive Guide; data: see table; about: blank stares',
  'The query "drop shipping" and \'union square\' -- both trending. /* not a comment */ # hashtag',
  'Mix 1/2 cup; OR 3/4 cup = 6 oz, AND 1 = 8 oz. x=y and y=x; a<b or b>c; 10 > 9 and 3 < 4',
  // Markdown.
  "# Title\n\nUse `SELECT * FROM t` or `rm -rf node_modules`.\n\n```sql\nSELECT id FROM users WHERE id = 1 OR name = 'x';\n```\n\n- [link](https://docs.example/a?b=c&d=e)\n- <https://x.example>\n\n> quote",
  'Run:\n\n```bash\nnpm ci && npm test | tee log.txt; echo done\ncat package.json | jq .version\nexport PATH=$HOME/bin:$PATH\nDATE=$(date +%F); tar czf backup-$DATE.tgz ./data\n```',
  'I get `TypeError: x is not a function` when I call `foo(bar)`; works with `id` and `ls`. See <details> below.',
  '| a | b |\n|---|---|\n| 1 | `<script setup>` |\n\n* use <b>bold</b> & <em>em</em>, not `onclick`',
  'Set `Content-Type: application/json` and `X-Api-Key`, then:\n\n    curl -X POST https://api.example.com/v1/items -d \'{"a":1}\'\n\nReturns 201.',
  'Install: `curl -fsSL https://get.example.com/install.sh | bash`',
  'Price: $(100); total = $((5+3))',
  'GitHub Actions: ${{ secrets.TOKEN }}',
  'Object.prototype.toString … a.__proto__ === B.prototype',
  '/etc/passwd lists users',
  // Code.
  "import { a } from '../../lib/a.ts'\nconst q = `SELECT * FROM ${table} WHERE id = $1`\nawait db.query(q, [id])\nif (a === 1 || b === 2) return x && y",
  'function f(x) { return x.map((y) => y.id).filter(Boolean) }\nsetTimeout(() => alert(message), 100)\nwindow.location.href = url\ndocument.cookie = name',
  'export default function Page() {\n  return <button className="x" onClick={() => save()} onChange={e => set(e.target.value)}>Save</button>\n}',
  '<template><div v-if="ok" @click="go">{{ title }} {{ a + b }} {{ user.name | upper }}</div></template>\n<script setup lang="ts">\nconst x = ref(0)\n</script>',
  'def total(items):\n    return sum(i["price"] * i["n"] for i in items)\n\nif __name__ == "__main__":\n    print(total([]))',
  'public class A { public static void main(String[] args) { System.out.println("hi"); try { run(); } catch (Exception e) { e.printStackTrace(); } } }',
  "SELECT o.id, c.name, count(*) AS n FROM orders o JOIN customers c ON c.id = o.customer_id WHERE o.total > 100 AND (o.state = 'open' OR o.state = 'late') GROUP BY o.id, c.name HAVING count(*) > 1 ORDER BY n DESC LIMIT 10;",
  "BEGIN;\nUPDATE accounts SET balance = balance - 5 WHERE id = 1;\nINSERT INTO log (t) VALUES (now());\nDELETE FROM carts WHERE updated_at < now() - interval '7 days';\nCOMMIT;",
  '#!/usr/bin/env bash\nset -euo pipefail\nfor f in *.txt; do echo "$f"; done\nif [ -f /etc/app.conf ]; then source /etc/app.conf; fi\nls -la | grep foo > out.log 2>&1 &',
  'FROM node:24\nWORKDIR /app\nCOPY package*.json ./\nRUN npm ci && npm cache clean --force\nCMD ["node", "server.js"]',
  'apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  ports: [{ port: 80 }]\n  selector: { app: "{{ .Values.name }}" }\n  url: "http://localhost:3000"',
  'const re = /^(?:\\w+\\.)?[^<>"\']+$/gi; const s = "a\\nb\\tc\\u0041"; path = "C:\\\\temp\\\\new"',
  'for (int i = 0; i < n; i++) { if (a[i] > b && c != d) sum += a[i] * 2; } // O(n); x ? y : z',
  '<?xml version="1.0"?><note><to>Tove</to><from>Jani</from><body>Don\'t forget &amp; call &lt;me&gt;</body></note>',
  'body { color: #333; background: url(/img/a.png) } @media (max-width: 600px) { .a > .b + .c { display: none } }',
  "type User = { id: number; role: 'admin' | 'user' }\ninterface A { constructor: Function; prototype?: unknown }",
  // Query languages and filters that people hand to services.
  '{"bool":{"must":[{"match":{"title":"sleep or rest"}},{"range":{"price":{"gte":5,"lt":10}}}]}}',
  'status:open AND (priority:high OR label:"needs review") NOT assignee:me created:>2024-01-01',
  "Name eq 'O''Neill' and Total gt 5 or contains(City,'San') and Date ge 2024-01-01T00:00:00Z",
  'price>=10;price<50;category==books,name=like=*sleep*',
  '-created_at,+price',
  'fields=id,name,items(id|sku)',
  'query Q($id: ID!) { user(id: $id) { ...F orders(first: 10, where: { state: OPEN }) { edges { node { id } } } } }\nfragment F on User { name __typename }',
  'mutation { updateUser(input: { id: 5, name: "O\'Brien", bio: "Select; drop; union" }) { user { id } } }',
  // Pages and mails.
  '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Shop</title><link rel="stylesheet" href="/a.css"><style>p{margin:0}</style></head><body><h1>Hi</h1><a href="/x?a=1&amp;b=2">x</a><img src="/a.png" alt="x" width="5"><script src="https://cdn.example/a.js" defer></script></body></html>',
  '<p>Dear <b>Ann</b>,<br/>your parcel is <a href="https://track.example/AB12">on its way</a>.<table border="0"><tr><td style="color:red">5 &lt; 6</td></tr></table></p>',
  '<div class="post"><iframe width="560" height="315" src="https://video.example/embed/x" allowfullscreen></iframe><p>Text</p></div>',
  'Hello {{ customer.first_name }}, {% if order.total > 100 %}thanks{% endif %}: {{ order.items | size }} items, ${total} <%= name %>',
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><path d="M12 2L2 7l10 5 10-5-10-5z" fill="none" stroke="#000"/></svg>',
  // Logs and stack traces.
  'java.lang.NullPointerException: Cannot invoke "String.length()" because "x" is null\n\tat com.shop.cart.CartService.total(CartService.java:88)\n\tat java.base/java.lang.Thread.run(Thread.java:833)',
  'Traceback (most recent call last):\n  File "/app/main.py", line 5, in <module>\n    import os, subprocess\nModuleNotFoundError: No module named \'x\'',
  "TypeError: Cannot read properties of undefined (reading 'id')\n    at Object.<anonymous> (/app/src/a.js:10:3)\n    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)\n    at async file:///app/x.mjs:3:1",
  '2024-10-11T10:00:00Z ERROR [http-1] select failed: connection refused (127.0.0.1:5432); retrying in 5s | user=admin\' action="login" path=/etc/app/config.yml',
  '192.0.2.1 - - [10/Oct/2024:13:55:36 +0000] "GET /a?b=c HTTP/1.1" 200 2326 "https://x.example/" "Mozilla/5.0 (X11; Linux x86_64)"',
  "Error: ENOENT: no such file or directory, open '/var/www/app/config.json'\nPHP Fatal error: Uncaught Error in /var/www/html/index.php on line 5",
  'HTTP/1.1 200 OK\nContent-Type: text/html\nSet-Cookie: a=b; Path=/\n\n<html>hi</html>',
  'panic: runtime error: index out of range [5] with length 3\n\ngoroutine 1 [running]:\nmain.main()\n\t/app/main.go:10 +0x1d',
  // Tokens, pictures and data.
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvaG4gRG9lIn0.SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'TG9yZW0gaXBzdW0gZG9sb3Igc2l0IGFtZXQsIHNlbGVjdCB0aGUgYmVzdA==',
  'b64:U29tZSB0ZXh0OyB3aXRoICd3b3Jkcyc=',
  '550e8400-e29b-41d4-a716-446655440000',
  'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'Tr0ub4dor&3=ok;',
  "p@$$w0rd'--x",
  '+44 20 7946 0278',
  'a%20b%2Fc%3Fd',
  '50%25 off &amp; more',
  'https://www.shop.example/cart?step=2&ref=mail#top',
  'http://localhost:8080/callback?code=abc',
  '//cdn.shop.example/img/a.png',
  'mailto:a@b.example?subject=Hi',
  'urn:uuid:5;v=1',
  'mongodb://user:pw@db.example:27017/app',
  's3://bucket/key.csv',
  'file:///C:/Users/ann/a.pdf',
  'M10 10h4v4h-4z',
  '{"a":[1,2,{"b":null}],"c":"it\'s"}',
  'a=1&b=2&c=<3>',
  '(555) 010-7788 (x5)',
  '5\'11" or 180 cm',
  '=SUM(A1:A5)',
  '-5',
  '@ann hi',
  'null',
  'true',
  '0x1F',
  '1e10',
  '$12.50',
]

/** A field of each text; names that bodies really have. */
const FIELDS = [
  'body',
  'title',
  'description',
  'comment',
  'content',
  'note',
  'code',
  'query',
  'text',
  'message',
]

/** Ordinary messages: the texts as a JSON field, form field and query value, and the exchanges of a recording of a shop. */
export function ordinaryExchanges(): Exchange[] {
  const texts = TEXTS.flatMap((text, i) => {
    const field = FIELDS[i % FIELDS.length]!
    return [
      exchangeOf(
        'POST',
        '/api/items',
        'application/json',
        JSON.stringify({ id: i, [field]: text, tags: [text] }),
      ),
      exchangeOf(
        'POST',
        '/api/items',
        'application/x-www-form-urlencoded',
        `id=${i}&${field}=${encodeURIComponent(text)}`,
      ),
      exchangeOf('GET', `/api/search?q=${encodeURIComponent(text).slice(0, 2_000)}&page=1`, '', ''),
      exchangeOf('POST', '/notes', 'text/plain', text),
    ]
  })
  return [...texts, ...recordedExchanges()]
}

function exchangeOf(method: string, target: string, type: string, body: string): Exchange {
  const headers = [
    'host',
    'api.shop.example',
    'user-agent',
    BROWSER,
    'accept',
    'application/json, text/plain, */*',
  ]
  headers.push(
    'accept-language',
    'en-GB,en;q=0.9,de;q=0.8',
    'cookie',
    'sid=s%3Aabc.def; theme=dark; consent={"ads":false}',
  )
  if (type !== '') headers.push('content-type', type)
  return {
    request: { method, target, version: 'HTTP/1.1', headers, body },
    response: {
      status: 200,
      reason: 'OK',
      headers: ['content-type', 'application/json'],
      body: '{"ok":true}',
    },
    ...{
      at: 1_800_000_000,
      clientIp: '203.0.113.7',
      serverIp: '',
      source: 'OTHER',
      direction: 1,
      vxlanId: 0,
    },
  }
}

const BROWSER =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'

interface HarEntry {
  readonly request: {
    readonly method: string
    readonly url: string
    readonly headers: readonly { readonly name: string; readonly value: string }[]
    readonly postData?: { readonly text?: string }
  }
  readonly response: {
    readonly status: number
    readonly headers: readonly { readonly name: string; readonly value: string }[]
    readonly content: { readonly text?: string; readonly encoding?: string }
  }
}

/** What a browser sent to a web shop, and got back. */
function recordedExchanges(): Exchange[] {
  const har = JSON.parse(readFileSync(new URL('../fixtures/juiceshop.har', import.meta.url), 'utf8')) as {
    log: { entries: HarEntry[] }
  }
  return har.log.entries.map(({ request, response }) => ({
    request: {
      method: request.method,
      target: request.url,
      version: 'HTTP/1.1',
      headers: request.headers.flatMap(({ name, value }) => [name, value]),
      body: request.postData?.text ?? '',
    },
    response: {
      status: response.status,
      reason: '',
      headers: response.headers.flatMap(({ name, value }) => [name, value]),
      body: response.content.text ?? '',
      bodyIsBase64: response.content.encoding === 'base64',
    },
    ...{ at: 1_800_000_000, clientIp: '203.0.113.7', serverIp: '', source: 'HAR', direction: 1, vxlanId: 0 },
  }))
}
