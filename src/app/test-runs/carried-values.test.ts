import { expect, test } from 'vitest'
import { rawSample } from '../../../test/raw-sample.ts'
import { MessageView } from '../../rules/index.ts'
import { carriedValues, isNamedAsId } from './carried-values.ts'

const ORDERS = {
  id: 1,
  collectionId: 1,
  method: 'POST',
  url: '/orders',
  origin: 'http://shop.test',
  isTemplate: false,
  accessTypes: [],
  groupIds: [],
}

function keysOf(body: object): string[] {
  const request = `POST http://shop.test/orders HTTP/1.1\nhost: shop.test\ncontent-type: application/json\n\n${JSON.stringify(body)}`
  return carriedValues(ORDERS, new MessageView(rawSample(request))).map(({ key }) => key)
}

test('a phone number beside other fields is not an identifier', () => {
  const order = { address_id: 7, phone_number: '555-11', deliveryPhone: '555-12', house_number: '4b' }
  expect(keysOf(order)).toEqual(['address_id'])
})

test('a phone number alone is looked up by', () => {
  expect(keysOf({ phone: '555-11' })).toEqual(['phone'])
})

test('a key that encrypts or signs is not an identifier, also alone', () => {
  const backup = {
    backup_key: 'k-7',
    auth_data: { public_key: 'cHVibGljIGtleQ1', signingKey: 'c2lnbmluZw2' },
  }
  expect(keysOf(backup)).toEqual(['backup_key'])
  expect(keysOf({ sshKey: 'ssh-ed25519_AAAAC3' })).toEqual([])
  expect(keysOf({ snapshotKey: 's-7', screenshot_key: 'p-7' })).toEqual(['screenshot_key', 'snapshotKey'])
})

test('numbers of cards and orders are named like identifiers', () => {
  const at = (key: string) => ({ place: `BODY ${key}`, key, value: '1', in: 'body' as const })
  expect(['card_number', 'order_no', 'account_number'].map((key) => isNamedAsId(at(key)))).toEqual([
    true,
    true,
    true,
  ])
})
