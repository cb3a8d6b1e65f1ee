import { type ChildProcess, spawn } from "node:child_process"
import { plainEnvironment } from "./plainEnvironment.ts"

// The read ends when our end of the pipe closes, however we ended. The pause lets the services finish first.
const script = 'read -r _; sleep 2; kill -INT "$1"'

/** Stops a PostgreSQL server when this process ends, even by SIGKILL. */
export const stopWithParent = (server: ChildProcess): void => {
  if (server.pid === undefined) return
  const watcher = spawn("/bin/sh", ["-c", script, "care-watcher", String(server.pid)], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    env: plainEnvironment(process.env)
  })
  // Without a shell (Windows) the next start stops a server that outlived us.
  watcher.on("error", () => {})
  server.once("exit", () => watcher.kill("SIGKILL"))
}
