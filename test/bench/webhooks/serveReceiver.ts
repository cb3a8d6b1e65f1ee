import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** Runs a receiver that counts events; `answer` may leave them unanswered. */
export const serveReceiver = async (
  answer: (response: ServerResponse) => void = (response) => void response.writeHead(204).end()
) => {
  let count = 0
  const waiting = new Set<() => void>()
  const server = createServer((request, response) => {
    count += 1
    request.resume()
    answer(response)
    for (const look of waiting) look()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/events`,
    count: () => count,
    /** Waits until a number of events have arrived. */
    reach: (target: number) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (count < target) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
