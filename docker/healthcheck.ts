// Asks the process of this container whether it is ready; exit code 1 when it is not, or does not answer.
const { HOST = "127.0.0.1", PORT = "8080" } = process.env
const host = HOST === "0.0.0.0" || HOST === "::" ? "127.0.0.1" : HOST

try {
  const { ok } = await fetch(`http://${host}:${PORT}/health/ready`, { signal: AbortSignal.timeout(3000) })
  process.exitCode = ok ? 0 : 1
} catch {
  process.exitCode = 1
}

export {}
