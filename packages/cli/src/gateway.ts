import { existsSync, readFileSync } from "node:fs"
import { validateHeaderValue } from "node:http"
import { join } from "node:path"
import { gatewayPort } from "@care/domain/peers"
import { dataDirectorySetting, documented, portSetting, readSettings, urlSetting } from "@care/service-kit/boot"
import { Config, Data, Effect, Option, Schema } from "effect"

/** Why a command did not work, as one sentence. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{ readonly message: string }> {}

/** Settings of a command, of which those that do not fit are told in a sentence. */
export const commandSettings = <A>(settings: Config.Config<A>) =>
  Effect.mapError(readSettings(settings), ({ message }) => new CommandFailed({ message }))

/** Whether `fetch` takes a URL: one with credentials it does not. */
export const isPlainUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false
  const { password, protocol, username } = new URL(text)
  return /^https?:$/.test(protocol) && username === "" && password === ""
}

export const gatewayUrlSetting = documented(Config.option(urlSetting("CARE_URL")), {
  name: "CARE_URL",
  byDefault: "`http://localhost:PORT`",
  meaning: "where `care` finds the gateway, a URL without credentials; no redirect is followed"
})

/** Where the gateway is (CARE_URL; or this machine, PORT or 8080), and the data of the start command (CARE_DATA_DIR). */
export const gatewaySettings = Effect.flatMap(
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

/** What the start command keeps under a name in a file of its data directory; undefined when it is not there. */
export const keptBy = (dataDirectory: string, fileName: string, name: string) => {
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

/** The header that a secret is sent in; one that no header takes is told of by its name alone. */
export const secretHeader = (header: string, value: string, name: string) =>
  Effect.try({
    try: (): Readonly<Record<string, string>> => {
      validateHeaderValue(header, value.trim())
      return { [header]: value }
    },
    catch: () =>
      new CommandFailed({
        message: `${name} cannot be sent: it has a character that no header takes, such as a line break, or one beyond Latin 1.`
      })
  })

/** Nobody listens where the gateway should be. */
export const noGatewayAt = (baseUrl: string) =>
  new CommandFailed({ message: `No gateway answers at ${baseUrl}: start the suite, or set CARE_URL.` })

const redirects = [301, 302, 303, 307, 308]

// What a redirect names may be text of anybody's: its origin alone is told.
const originOf = (location: string | null, asked: string): string =>
  location !== null && URL.canParse(location, asked) ? new URL(location, asked).origin : "no URL"

/** Asks the gateway, and follows no redirect: the key or token, and the body, are for the gateway alone. */
export const fetchGateway = async (baseUrl: string, path: string, init: RequestInit): Promise<Response> => {
  const response = await fetch(`${baseUrl}${path}`, { ...init, redirect: "manual" }).catch(() => {
    throw noGatewayAt(baseUrl)
  })
  if (!redirects.includes(response.status)) return response
  const to = originOf(response.headers.get("location"), `${baseUrl}${path}`)
  throw new CommandFailed({
    message: `${baseUrl} redirects (${response.status}) to ${to}, and care follows no redirect, because it would send your key there: set CARE_URL to where the gateway is itself.`
  })
}

/** Sends a request with JSON to the gateway, and reads what it answers as text. */
export const askGateway = (
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

/** What a list is asked for; undefined leaves a parameter out. */
export type Query = Readonly<Record<string, string | undefined>>

/** A query as it is written in a URL. */
export const written = (query: Query): string =>
  Object.entries(query)
    .flatMap(([name, value]) => (value === undefined ? [] : `${name}=${encodeURIComponent(value)}`))
    .join("&")
