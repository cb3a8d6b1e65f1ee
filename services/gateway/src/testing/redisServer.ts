import { spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { temporaryFolder } from "@care/service-kit/testing"
import { Effect } from "effect"

/** Whether Redis is installed on this machine. */
export const isRedisThere = spawnSync("redis-server", ["--version"]).status === 0

/** The password of the Redis that `startRedis` starts. */
export const redisPassword = "a-password"

/** Starts this machine's Redis on a port, empty and with these arguments. It is killed when the scope closes. */
export const startRedis = Effect.fnUntraced(function* (port: number, more: ReadonlyArray<string> = []) {
  const folder = yield* temporaryFolder()
  const storage = ["--save", "", "--appendonly", "no", "--dir", folder]
  const server = yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(
        "redis-server",
        ["--port", String(port), "--bind", "127.0.0.1", "--requirepass", redisPassword, ...storage, ...more],
        {
          stdio: ["ignore", "pipe", "ignore"]
        }
      )
    ),
    (server) => Effect.sync(() => server.kill("SIGKILL"))
  )
  yield* Effect.promise(async () => {
    for await (const piece of server.stdout) if (String(piece).includes("Ready to accept connections")) break
    server.stdout.resume()
  })
  return {
    kill: Effect.promise(async () => {
      const gone = once(server, "exit")
      server.kill("SIGKILL")
      await gone
    })
  }
})
