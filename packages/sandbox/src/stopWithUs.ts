import { type ChildProcess, spawn } from "node:child_process"
import { plainEnvironment } from "./plainEnvironment.ts"

// Reading ends when our end of the pipe closes, however we went. The pause lets the services finish first.
const script = 'read -r _; sleep 2; kill -INT "$1"'

/** Has a PostgreSQL server stopped when this process is gone, also after a kill that nothing in it can notice. */
export const stopWithUs = (server: ChildProcess): void => {
  if (server.pid === undefined) return
  const watcher = spawn("/bin/sh", ["-c", script, "care-watcher", String(server.pid)], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    env: plainEnvironment(process.env)
  })
  // Without a shell (Windows) a server that outlives us is stopped by the next start.
  watcher.on("error", () => {})
  server.once("exit", () => watcher.kill("SIGKILL"))
}
