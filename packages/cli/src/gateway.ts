import { existsSync, readFileSync } from "node:fs"
import { validateHeaderValue } from "node:http"
import { join } from "node:path"
import { gatewayPort } from "@care/domain/peers"
import { dataDirectorySetting, documented, portSetting, readSettings, urlSetting } from "@care/service-kit/boot"
import { Config, Data, Effect, Option, Schema } from "effect"

/** Why a command failed, as one sentence. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{ readonly message: string }> {}

/** Reads settings of a command, and fails with a sentence for an invalid one. */
export const commandSettings = <A>(settings: Config.Config<A>) =>
  Effect.mapError(readSettings(settings), ({ message }) => new CommandFailed({ message }))

/** Returns whether `fetch` accepts a URL: it refuses one with credentials. */
export const isPlainUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { password, protocol, username } = new URL(text)
  return /^https?:$/.test(protocol) && username === "" && password === ""
}

export const gatewayUrlSetting = documented(Config.option(urlSetting("CARE_URL")), {
  name: "CARE_URL",
  byDefault: "`http://localhost:PORT`",
  meaning: "the URL of the gateway for `care`, without credentials. Redirects are not followed"
})

/**
 * The gateway's URL (CARE_URL; or this machine, PORT or 8080), and the start command's data directory (CARE_DATA_DIR).
 */
export const gatewayConnection = Effect.flatMap(
  commandSettings(
    Config.all({
      port: portSetting("PORT").pipe(Config.withDefault(gatewayPort)),
      url: gatewayUrlSetting,
      dataDirectory: dataDirectorySetting
    })
  ),
  ({ dataDirectory, port, url }) => {
    const baseUrl = Option.getOrElse(url, () => `http://localhost:${port}`)
    return isPlainUrl(baseUrl)
      ? Effect.succeed({ dataDirectory, baseUrl })
      : new CommandFailed({ message: "CARE_URL has to be a URL without credentials, such as http://localhost:8080." })
  }
)

/** Reads a value that the start command stored in a file of its data directory; undefined when it does not exist. */
export const readStored = (dataDirectory: string, fileName: string, name: string) => {
  const file = join(dataDirectory, fileName)
  const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))
  return Effect.try({
    try: (): string | undefined => {
      if (!existsSync(file)) return undefined
      const value = decode(readFileSync(file, "utf8"))[name]
      return typeof value === "string" ? value : undefined
    },
    catch: () => file
  })
}

/** Makes the header of a secret. The error for an invalid one does not quote it. */
export const secretHeader = (header: string, value: string, name: string) =>
  Effect.try({
    try: (): Readonly<Record<string, string>> => {
      validateHeaderValue(header, value.trim())
      return { [header]: value }
    },
    catch: () =>
      new CommandFailed({
        message: `${name} cannot be sent: it contains a character that is not allowed in a header, such as a line break or one outside Latin-1.`
      })
  })

/** The failure when nothing listens at the gateway's URL. */
export const noGatewayAt = (baseUrl: string) =>
  new CommandFailed({ message: `No gateway answers at ${baseUrl}: start the suite, or set CARE_URL.` })

const redirects = [301, 302, 303, 307, 308]

// The target of a redirect may contain anything: only its origin is shown.
const originOf = (location: string | null, requestUrl: string): string =>
  location !== null && URL.canParse(location, requestUrl) ? new URL(location, requestUrl).origin : "no URL"

/** Calls the gateway without following redirects: the credentials and the body are only for the gateway. */
export const fetchGateway = async (baseUrl: string, path: string, init: RequestInit): Promise<Response> => {
  const response = await fetch(`${baseUrl}${path}`, { ...init, redirect: "manual" }).catch(() => {
    throw noGatewayAt(baseUrl)
  })
  if (!redirects.includes(response.status)) return response
  const to = originOf(response.headers.get("location"), `${baseUrl}${path}`)
  throw new CommandFailed({
    message: `${baseUrl} redirects (${response.status}) to ${to}. care does not follow redirects, because it would send your key there: set CARE_URL to the URL of the gateway itself.`
  })
}

/** Sends a request with JSON to the gateway, and returns the text of the answer. */
export const callGateway = (
  baseUrl: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: unknown
) =>
  Effect.tryPromise({
    try: async () => {
      const response = await fetchGateway(baseUrl, path, {
        method,
        headers: { ...headers, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) })
      })
      return { isOk: response.ok, status: response.status, text: await response.text() }
    },
    catch: (error) => (error instanceof CommandFailed ? error : noGatewayAt(baseUrl))
  })

/** The query of a list. Undefined parameters are left out. */
export type QueryParameters = Readonly<Record<string, string | undefined>>

/** Returns a query as a part of a URL. */
export const encodeQuery = (query: QueryParameters): string =>
  Object.entries(query)
    .flatMap(([name, value]) => (value === undefined ? [] : `${name}=${encodeURIComponent(value)}`))
    .join("&")
