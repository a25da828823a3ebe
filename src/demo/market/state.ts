import { DatabaseSync } from 'node:sqlite'

/** A customer or administrator of the market. */
export interface Account {
  readonly id: number
  readonly profileId: string
  readonly email: string
  readonly password: string
  readonly pin: string
  name: string
  role: 'member' | 'admin'
  readonly phone: string
  readonly city: string
  readonly card: string
  readonly balance: number
}

/** An order of one account. */
interface Order {
  readonly id: number
  readonly accountId: number
  readonly product: string
  quantity: number
  readonly total: number
  address: string
  status: string
}

/** A message to one account. */
interface Message {
  readonly id: number
  readonly accountId: number
  readonly subject: string
  readonly text: string
}

const PRODUCT_NAMES = ['Kettle', 'Lantern', 'Rope', 'Compass', 'Blanket', 'Stove', 'Canteen', 'Whistle']
const PRODUCT_COUNT = 400

/** All that the market knows; made anew for every server. */
export class MarketState {
  readonly accounts: Account[] = [
    account(1, 'alice', 'member', '0b6f9a52-6d1e-4c58-9a55-0d8f8f6c1a01', '4111111111111111', 120.5),
    account(2, 'bob', 'member', '5d0c2f8e-2b7a-4f36-8a1b-7c9d3e5f7b02', '5555555555554444', 64),
    account(3, 'carol', 'admin', 'a94d7c1b-8e3f-4d2a-b6c5-1f2e3d4c5b03', '4012888888881881', 1000),
  ]
  readonly orders: Order[] = [
    order(1001, 1, 'Kettle', 2, 39.8, '12 Mill Lane'),
    order(1002, 2, 'Rope', 1, 12.5, '9 Harbour Street'),
    order(1003, 1, 'Lantern', 1, 24.9, '12 Mill Lane'),
    order(1004, 3, 'Stove', 4, 199.6, '1 Market Square'),
  ]
  readonly messages: Message[] = [
    {
      id: 71,
      accountId: 1,
      subject: 'Your kettle is on its way',
      text: 'It arrives on Tuesday at Mill Lane.',
    },
    { id: 72, accountId: 2, subject: 'Rope out of stock', text: 'We refund twelve and a half to your card.' },
    { id: 73, accountId: 3, subject: 'Month end', text: 'Please approve the refunds of this month.' },
  ]
  readonly notes: { id: number; accountId: number; text: string }[] = []
  readonly products = Array.from({ length: PRODUCT_COUNT }, (_, i) => ({
    id: i + 1,
    name: `${PRODUCT_NAMES[i % PRODUCT_NAMES.length]} ${i + 1}`,
    price: 5 + ((i * 7) % 60),
  }))
  readonly failedPins = new Map<string, number>()
  readonly failedPasswords = new Map<string, number>()
  readonly database = catalogueDatabase()

  /** The account of an id, or undefined. */
  accountById(id: number): Account | undefined {
    return this.accounts.find((candidate) => candidate.id === id)
  }

  close(): void {
    this.database.close()
  }
}

function account(
  id: number,
  name: string,
  role: 'member' | 'admin',
  profileId: string,
  card: string,
  balance: number,
): Account {
  return {
    id,
    profileId,
    email: `${name}@market.example`,
    password: `${name}-Passw0rd`,
    pin: `48${id}7`,
    name,
    role,
    phone: `+4930901820${10 + id}`,
    city: ['Berlin', 'Leipzig', 'Bremen'][id - 1]!,
    card,
    balance,
  }
}

function order(
  id: number,
  accountId: number,
  product: string,
  quantity: number,
  total: number,
  address: string,
): Order {
  return { id, accountId, product, quantity, total, address, status: 'placed' }
}

/** A real SQL database, so that an injected query really runs. */
function catalogueDatabase(): DatabaseSync {
  const database = new DatabaseSync(':memory:')
  database.exec('CREATE TABLE articles (id INTEGER PRIMARY KEY, title TEXT, stock INTEGER)')
  const insert = database.prepare('INSERT INTO articles (title, stock) VALUES (?, ?)')
  for (let i = 0; i < 40; i++)
    insert.run(`${PRODUCT_NAMES[i % PRODUCT_NAMES.length]} No. ${i + 1}`, (i * 3) % 17)
  return database
}
