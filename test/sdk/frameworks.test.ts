import 'reflect-metadata'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { Body, Controller, Module, Param, Post } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import express from 'express'
import { Hono } from 'hono'
import Koa from 'koa'
import { afterEach, expect, test } from 'vitest'
import { createVigil, type Vigil } from '../../sdk/node/index.js'
import { until } from '../until.ts'

interface Message {
  readonly path: string
  readonly method: string
  readonly statusCode: number
  readonly requestPayload: string
  readonly responsePayload: string
}

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Decorators are called as functions: types alone are stripped from what Node.js runs. */
function nestModule(): new () => object {
  class Orders {
    create(id: string, body: unknown): object {
      return { id, body }
    }
  }
  const { prototype } = Orders
  Param('id')(prototype, 'create', 0)
  Body()(prototype, 'create', 1)
  Reflect.defineMetadata('design:paramtypes', [String, Object], prototype, 'create')
  Post('orders/:id')(prototype, 'create', Object.getOwnPropertyDescriptor(prototype, 'create')!)
  Controller()(Orders)
  class Application {}
  Module({ controllers: [Orders] })(Application)
  return Application
}

/** An application of each framework: POST /orders/7 answers 201 with the id and the body. */
const frameworks: Record<string, (vigil: Vigil) => Promise<string>> = {
  Express: (vigil) => {
    const app = express()
    app.use(vigil.express())
    app.use(express.json())
    app.post('/orders/:id', (request, response) => {
      response.status(201).json({ id: request.params.id, body: request.body })
    })
    return listen(createServer(app as RequestListener))
  },
  Koa: (vigil) => {
    const app = new Koa()
    app.use(vigil.koa())
    app.use(async (context) => {
      const body = JSON.parse(Buffer.concat(await context.req.toArray()).toString())
      context.status = 201
      context.body = { id: context.path.split('/').at(-1), body }
    })
    return listen(createServer(app.callback()))
  },
  Hono: (vigil) => {
    const app = new Hono()
    app.use(vigil.hono())
    app.post('/orders/:id', async (context) =>
      context.json({ id: context.req.param('id'), body: await context.req.json() }, 201),
    )
    return listen(createAdaptorServer(app) as Server)
  },
  Nest: async (vigil) => {
    const app = await NestFactory.create(nestModule(), { logger: false })
    app.use(vigil.express())
    closers.push(() => app.close())
    await app.listen(0, '127.0.0.1')
    return `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`
  },
}

function post(address: string, body: unknown): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return fetch(`${address}/orders/7`, { method: 'POST', headers, body: JSON.stringify(body) })
}

const answer = (body: unknown): string => JSON.stringify({ id: '7', body })

test.each(Object.entries(frameworks))(
  'an application of %s is observed with both bodies',
  async (_, start) => {
    const messages: Message[] = []
    const url = await listen(
      createServer(async (request, response) => {
        messages.push(...JSON.parse(Buffer.concat(await request.toArray()).toString()).batchData)
        response.end('{}')
      }),
    )
    const vigil = createVigil({ url, key: 'k', flushMs: 20, maxCpuShare: 1 })
    closers.push(() => vigil.close(0))
    const address = await start(vigil)
    const answered = await post(address, { qty: 2, password: 'p4ss' })
    expect([answered.status, await answered.text()]).toEqual([201, answer({ qty: 2, password: 'p4ss' })])
    await until('it was sent', () => messages.length === 1)
    expect(messages[0]).toMatchObject({
      method: 'POST',
      path: '/orders/7',
      statusCode: 201,
      requestPayload: '{"qty":2,"password":"[redacted]"}',
      responsePayload: answer({ qty: 2, password: '[redacted]' }),
    })
    expect(vigil.stats().errors).toBe(0)
  },
)

test.each(Object.entries(frameworks))(
  'an application of %s answers while Vigil is away',
  async (_, start) => {
    const vigil = createVigil({
      url: 'http://127.0.0.1:1',
      key: 'k',
      flushMs: 20,
      maxCpuShare: 1,
      maxQueueBytes: 50_000,
    })
    closers.push(() => vigil.close(0))
    const address = await start(vigil)
    for (let i = 0; i < 40; i++) {
      const answered = await post(address, { i })
      expect([answered.status, await answered.text()]).toEqual([201, answer({ i })])
    }
    const { captured, sent, dropped, errors } = vigil.stats()
    expect({ captured, sent, errors }).toEqual({ captured: 40, sent: 0, errors: 0 })
    expect(dropped).toBeGreaterThan(0)
  },
)
