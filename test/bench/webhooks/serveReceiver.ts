import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A receiver of events on this machine, which counts them; `answer` may leave them without one. */
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
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/events`,
    count: () => count,
    /** Waits until so many have come. */
    reach: (wanted: number) =>
      new Promise<void>((done) => {
        const look = () => {
          if (count < wanted) return
          waiting.delete(look)
          done()
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
