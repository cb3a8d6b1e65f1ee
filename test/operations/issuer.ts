import { once } from "node:events"
import { createServer } from "node:http"

const listen = async (): Promise<string> => {
  const server = createServer((_request, response) => {
    const issuer = `http://127.0.0.1:${portOf(server.address())}`
    response.setHeader("content-type", "application/json").end(
      JSON.stringify({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`
      })
    )
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  server.unref()
  return `http://127.0.0.1:${portOf(server.address())}`
}

const portOf = (address: ReturnType<ReturnType<typeof createServer>["address"]>): number =>
  address === null || typeof address === "string" ? 0 : address.port

let issuer: Promise<string> | undefined

/** Returns the URL of an OpenID provider that has a discovery document, and nothing else. It is one for the process, and ends with it. */
export const issuerUrl = (): Promise<string> => {
  issuer ??= listen()
  return issuer
}
