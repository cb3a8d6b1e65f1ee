import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gatewayPort } from "@care/domain/peers"
import { portSetting, readSettings, urlSetting } from "@care/service-kit/boot"
import { Config, Data, Effect, Option, Schema } from "effect"

/** Why a command did not work, as one sentence. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{ readonly message: string }> {}

/** Settings of a command, of which those that do not fit are told in a sentence. */
export const commandSettings = <A>(settings: Config.Config<A>) =>
  Effect.mapError(readSettings(settings), ({ message }) => new CommandFailed({ message }))

/** Where the gateway is (CARE_URL; or this machine, PORT or 8080), and the data of the start command (CARE_DATA_DIR). */
export const gatewaySettings = Effect.map(
  commandSettings(
    Config.all({
      port: portSetting("PORT").pipe(Config.withDefault(gatewayPort)),
      url: Config.option(urlSetting("CARE_URL")),
      dataDirectory: Config.String("CARE_DATA_DIR").pipe(Config.withDefault(".data"))
    })
  ),
  ({ dataDirectory, port, url }) => ({
    dataDirectory,
    baseUrl: Option.getOrElse(url, () => `http://localhost:${port}`)
  })
)

/** What the start command keeps under a name in a file of its data directory; undefined when it is not there. */
export const keptBy = (dataDirectory: string, fileName: string, name: string) => {
  const file = join(dataDirectory, fileName)
  const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))
  return Effect.try({
    try: (): string | undefined => {
      if (!existsSync(file)) return undefined
      const value = Option.getOrUndefined(decode(readFileSync(file, "utf8")))?.[name]
      return typeof value === "string" ? value : undefined
    },
    catch: () => file
  })
}

/** Nobody listens where the gateway should be. */
export const noGatewayAt = (baseUrl: string) =>
  new CommandFailed({ message: `No gateway answers at ${baseUrl}: start the suite, or set CARE_URL.` })

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
      const response = await fetch(`${baseUrl}${path}`, {
        method,
        headers: { ...headers, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) })
      })
      return { isOk: response.ok, status: response.status, text: await response.text() }
    },
    catch: () => noGatewayAt(baseUrl)
  })

/** What a list is asked for; undefined leaves a parameter out. */
export type Query = Readonly<Record<string, string | undefined>>

/** A query as it is written in a URL. */
export const written = (query: Query): string =>
  Object.entries(query)
    .flatMap(([name, value]) => (value === undefined ? [] : `${name}=${encodeURIComponent(value)}`))
    .join("&")
