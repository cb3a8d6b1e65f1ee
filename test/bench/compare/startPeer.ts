import { type ChildProcess, spawn } from "node:child_process"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import { type Bench, benchOffsets } from "../startBench.ts"

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), "peer")

const run = (file: string, parameters: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<ChildProcess>((resolve, reject) => {
          const child = spawn(process.execPath, [join(folder, file), ...parameters], {
            stdio: ["ignore", "inherit", "inherit", "ipc"],
            env: { ...process.env, NODE_ENV: "production" }
          })
          child.once("message", () => resolve(child))
          child.once("exit", () => reject(new Error(`${file} does not start`)))
        })
    ),
    (child) => Effect.sync(() => child.kill())
  )

/** Starts the peer, a gateway and a service, on the suite's database and a mail server. Returns the URL of its gateway. */
export const startPeer = Effect.fnUntraced(function* (
  { databaseUrl, folder: baseFolder, phiKey, port }: Bench,
  smtpUrl: string
) {
  const service = port + benchOffsets.peerService
  const gateway = port + benchOffsets.peerGateway
  yield* run("service.ts", [String(service), databaseUrl, phiKey, smtpUrl, baseFolder])
  yield* run("gateway.ts", [String(gateway), `http://127.0.0.1:${service}`, databaseUrl])
  return `http://127.0.0.1:${gateway}`
})
