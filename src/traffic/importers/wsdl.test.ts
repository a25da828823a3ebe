import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseBody } from '../../http/index.ts'
import { requestOf } from '../openapi/exchange.ts'
import { wsdlImporter } from './wsdl.ts'

const shop = readFileSync('test/fixtures/imports/shop-wsdl.xml', 'utf8')

test('declares each operation once for all versions of SOAP, named as traffic to it is', () => {
  const { declared, report } = wsdlImporter.read(shop)
  expect(declared.map(({ path, target, protocol, effect }) => [path, target, protocol, effect])).toEqual([
    ['/soap/shop/GetOrder', '/soap/shop', 'SOAP', 'READ'],
    ['/soap/shop/PlaceOrder', '/soap/shop', 'SOAP', 'CREATE'],
  ])
  expect(report).toMatchObject({ title: 'Shop', total: 2, taken: 2, warningsTotal: 0 })
  expect(declared[0]).toMatchObject({ summary: 'Reads one order.', where: 'line 51' })
})

test('builds an envelope that holds what the schema asks for, under the keys that it declares', () => {
  const place = wsdlImporter.read(shop).declared[1]!
  const request = requestOf(place, new Map())
  expect(request).toMatchObject({ method: 'POST', target: 'https://shop.test/soap/shop' })
  expect(request.headers).toEqual(expect.arrayContaining(['SOAPAction', '"urn:shop/PlaceOrder"', 'text/xml']))
  const body = parseBody({ contentType: 'text/xml', body: request.body })
  expect(body).toMatchObject({
    value: {
      PlaceOrder: { order: { id: '1', state: 'open', lines: { sku: 'string' } }, note: 'string' },
    },
  })
  expect(place.requests[0]?.keys.map(({ key, required }) => [key, required])).toEqual([
    ['PlaceOrder#order#id', true],
    ['PlaceOrder#order#state', true],
    ['PlaceOrder#order#lines#$#sku', false],
    ['PlaceOrder#note', false],
  ])
})

test('SOAP 1.2 has its action in the content type, and a relative address is of the base URL', () => {
  const only12 = shop
    .replace(/<wsdl:port name="ShopSoap" .*<\/wsdl:port>/, '')
    .replaceAll('https://shop.test/soap/shop', '/soap')
  const { declared } = wsdlImporter.read(only12, { baseUrl: 'http://127.0.0.1:81' })
  expect(declared).toHaveLength(1)
  expect(declared[0]).toMatchObject({ origin: 'http://127.0.0.1:81', path: '/soap/GetOrder', parameters: [] })
  expect(declared[0]?.requests[0]?.mediaType).toBe('application/soap+xml; action="urn:shop/GetOrder"')
})

test('style rpc wraps the parts in an element with the name of the operation', () => {
  const rpc = shop
    .replaceAll('style="document"', 'style="rpc"')
    .replace('<wsdl:part name="parameters" element="tns:GetOrder"/>', '<wsdl:part name="id" type="xsd:int"/>')
  expect(wsdlImporter.read(rpc).declared[0]?.requests[0]?.example).toContain(
    '<v:GetOrder xmlns:v="urn:shop"><id>1</id></v:GetOrder>',
  )
})
