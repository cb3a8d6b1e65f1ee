import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"

const root = join(import.meta.dirname, "..", "..")

const healthcheck = (environment: Readonly<Record<string, string>>) =>
  Effect.callback<number>((resume) => {
    const child = execFile(process.execPath, ["docker/healthcheck.ts"], { cwd: root, env: environment })
    child.once("exit", (code) => resume(Effect.succeed(code ?? -1)))
  })

it.live("the health check asks the process where it listens: healthy when it is ready, and only then", () =>
  Effect.gen(function* () {
    let status = 200
    const server = createServer((request, response) => {
      response.statusCode = request.url === "/health/ready" ? status : 404
      response.end()
    })
    const listen = Effect.callback<number>((resume) => {
      server.listen(0, "0.0.0.0", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
    })
    const PORT = String(yield* listen)
    const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8")
    assert.match(dockerfile, /^COPY docker\/healthcheck\.ts healthcheck\.ts$[\s\S]*CMD \["node", "healthcheck\.ts"\]$/m)
    assert.strictEqual(yield* healthcheck({ HOST: "0.0.0.0", PORT }), 0)
    assert.strictEqual(yield* healthcheck({ HOST: "::", PORT }), 0)
    assert.strictEqual(yield* healthcheck({ HOST: "127.0.0.1", PORT }), 0)
    status = 503
    assert.strictEqual(yield* healthcheck({ HOST: "0.0.0.0", PORT }), 1)
    server.close()
    assert.strictEqual(yield* healthcheck({ HOST: "0.0.0.0", PORT }), 1)
  })
)
