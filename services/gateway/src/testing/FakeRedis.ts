import { once } from "node:events"
import { createServer, type Server, type Socket } from "node:net"
import { freePort } from "@care/service-kit/testing"
import { Effect } from "effect"

/** How a counting command is answered: `silent` only when the mode changes, `refusing` with an error. */
type Mode = "counting" | "silent" | "refusing"

// A command is an array of strings in RESP, with a line end after each: *2, $4, PING, $2, hi.
const commandsIn = (
  text: string
): { readonly commands: ReadonlyArray<ReadonlyArray<string>>; readonly rest: string } => {
  const commands: Array<ReadonlyArray<string>> = []
  let rest = text
  for (;;) {
    const head = /^\*(\d+)\r\n/.exec(rest)
    if (head === null) return { commands, rest }
    let at = head[0].length
    const words: Array<string> = []
    for (let left = Number(head[1]); left > 0; left -= 1) {
      const length = /^\$(\d+)\r\n/.exec(rest.slice(at))
      if (length === null) return { commands, rest }
      at += length[0].length
      words.push(rest.slice(at, at + Number(length[1])))
      at += Number(length[1]) + 2
    }
    if (at > rest.length) return { commands, rest }
    commands.push(words)
    rest = rest.slice(at)
  }
}

/** A fake Redis on a port of its own. It counts, stays silent, refuses, or goes away. Its windows do not end. */
export class FakeRedis {
  #mode: Mode = "counting"
  readonly #unanswered: Array<() => void> = []
  /** Runs after each answer. */
  afterAnswer = () => {}
  /** Counts by key. */
  readonly counts = new Map<string, number>()
  /** Counting commands that came. */
  evals = 0
  /** PING commands that came. */
  pings = 0
  /** Connections that were accepted. */
  connections = 0
  readonly port: number
  #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(port: number, server: Server) {
    this.port = port
    this.#server = server
    this.#accept()
  }

  static readonly make = Effect.acquireRelease(
    Effect.flatMap(freePort, (port) =>
      Effect.promise(async () => {
        const server = createServer().listen(port, "127.0.0.1")
        await once(server, "listening")
        return new FakeRedis(port, server)
      })
    ),
    (redis) => Effect.sync(() => redis.#end())
  )

  set mode(mode: Mode) {
    this.#mode = mode
    if (mode !== "silent") for (const answer of this.#unanswered.splice(0)) answer()
  }

  get url(): string {
    return `redis://care:a-password@127.0.0.1:${this.port}`
  }

  /** Ends every connection, and accepts no more. */
  readonly goAway = Effect.promise(async () => {
    const closed = once(this.#server, "close")
    this.#end()
    await closed
  })

  /** Accepts connections again, with no counts. */
  readonly comeBack = Effect.promise(async () => {
    this.counts.clear()
    this.#server = createServer().listen(this.port, "127.0.0.1")
    await once(this.#server, "listening")
    this.#accept()
  })

  #accept() {
    this.#server.on("connection", (socket) => {
      this.connections += 1
      this.#sockets.add(socket)
      socket.on("error", () => {})
      socket.on("close", () => this.#sockets.delete(socket))
      let text = ""
      socket.on("data", (piece) => {
        const { commands, rest } = commandsIn(text + piece.toString("utf8"))
        text = rest
        for (const command of commands) this.#answer(socket, command)
      })
    })
  }

  #answer(socket: Socket, [name, , count = "0", ...words]: ReadonlyArray<string>) {
    if (name === "EVAL") this.evals += 1
    if (name === "PING") this.pings += 1
    const answer = () => {
      socket.write(name === "EVAL" ? this.#count(words.slice(0, Number(count)), words.slice(Number(count))) : "+OK\r\n")
      this.afterAnswer()
    }
    if (this.#mode === "silent") this.#unanswered.push(answer)
    else answer()
  }

  // The arguments are the limit and the length of each window.
  #count(keys: ReadonlyArray<string>, windowArguments: ReadonlyArray<string>): string {
    if (this.#mode === "refusing") return "-OOM command not allowed when used memory > 'maxmemory'.\r\n"
    const isCounted = keys.every((key, index) => (this.counts.get(key) ?? 0) < Number(windowArguments[2 * index]))
    const counts = keys.map((key, index) => {
      const used = (this.counts.get(key) ?? 0) + (isCounted ? 1 : 0)
      this.counts.set(key, used)
      return `*2\r\n:${used}\r\n:${windowArguments[2 * index + 1]}\r\n`
    })
    return `*2\r\n:${isCounted ? 1 : 0}\r\n*${counts.length}\r\n${counts.join("")}`
  }

  #end() {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }
}
