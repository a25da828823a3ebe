import { mkdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../test/server-process.ts'
import { goMain } from './install.ts'
import { type StartedProgram, startProgram } from './program.ts'

const VERSION = 'v1.24.0'

const MAIN = `package main

import (
	"context"
	"log"
	"net/http"
	"os"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: "127.0.0.1:" + os.Args[1]},
		Handler:   "sqlite",
		SQLiteURL: "file:" + os.Args[3] + "/",
	})
	if err != nil {
		log.Fatal(err)
	}
	go http.ListenAndServe("127.0.0.1:"+os.Args[2], http.NotFoundHandler())
	log.Fatal(server.Run(context.Background()))
}
`

/** A database server that runs. */
export interface MongoServer extends StartedProgram {
  readonly address: string
  /** Of each database a file of SQLite, named after it. */
  readonly folder: string
}

/** FerretDB, for applications that need MongoDB: that is in no public registry. */
export async function startMongo(programs: string, data: string): Promise<MongoServer> {
  const program = goMain(
    programs,
    `ferretdb-${VERSION}`,
    `github.com/FerretDB/FerretDB/ferretdb@${VERSION}`,
    MAIN,
  )
  const folder = join(data, 'mongo')
  mkdirSync(folder)
  const [port, health] = [await freePort(), await freePort()]
  const { stop } = await startProgram({
    command: program,
    args: [String(port), String(health), folder],
    folder,
    log: join(data, 'mongo.log'),
    ready: `http://127.0.0.1:${health}`,
  })
  await answers(port)
  return { address: `mongodb://127.0.0.1:${port}`, folder, stop }
}

/** Its listener opens a little later than the one that says that it runs. */
async function answers(port: number): Promise<void> {
  for (;;) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true))
      socket.once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (isOpen) return
    await pause(100)
  }
}
