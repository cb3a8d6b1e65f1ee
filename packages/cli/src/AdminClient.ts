import { createWriteStream, existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { ReadableStream } from "node:stream/web"
import { gatewayPort } from "@care/domain/peers"
import { portSetting, readSettings, urlSetting } from "@care/service-kit/boot"
import { Config, Context, Data, Effect, Layer, Option, Redacted, Schema } from "effect"

/** Why a command did not work, as one sentence. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{ readonly message: string }> {}

/** A JSON object as the admin API answers it. */
export type Resource = typeof Resource.Type

const Resource = Schema.Record(Schema.String, Schema.Unknown)
const Problem = Schema.Struct({ title: Schema.String, detail: Schema.String })
const Page = Schema.Struct({ data: Schema.Array(Resource), nextCursor: Schema.NullOr(Schema.String) })

const decodeResource = Schema.decodeUnknownOption(Schema.fromJsonString(Resource))
const decodeProblem = Schema.decodeUnknownOption(Schema.fromJsonString(Problem))
const decodePage = Schema.decodeUnknownEffect(Page)
const decodeSecrets = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ ADMIN_TOKEN: Schema.optional(Schema.String) }))
)

/** What a list is asked for; undefined leaves a parameter out. */
type Query = Readonly<Record<string, string | undefined>>

const written = (query: Query): string =>
  Object.entries(query)
    .flatMap(([name, value]) => (value === undefined ? [] : `${name}=${encodeURIComponent(value)}`))
    .join("&")

const settings = Effect.mapError(
  readSettings(
    Config.all({
      port: portSetting("PORT").pipe(Config.withDefault(gatewayPort)),
      url: Config.option(urlSetting("CARE_URL")),
      token: Config.option(Config.Redacted("ADMIN_TOKEN")),
      dataDirectory: Config.String("CARE_DATA_DIR").pipe(Config.withDefault(".data"))
    })
  ),
  ({ message }) => new CommandFailed({ message })
)

const tokenMissing = new CommandFailed({ message: "ADMIN_TOKEN is missing: set it to the gateway's." })

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** The token that the start command made up. */
const keptToken = (dataDirectory: string): Effect.Effect<string | undefined, CommandFailed> => {
  const file = join(dataDirectory, "secrets.json")
  return Effect.try({
    try: () =>
      existsSync(file) ? Option.getOrUndefined(decodeSecrets(readFileSync(file, "utf8")))?.ADMIN_TOKEN : undefined,
    catch: () => new CommandFailed({ message: `${file} cannot be read: set ADMIN_TOKEN to the gateway's.` })
  })
}

/** The admin API, called with the operator's token. */
export class AdminClient extends Context.Service<
  AdminClient,
  {
    /** One call: the resource that it answers, or undefined when it answers none. */
    readonly call: (method: string, path: string, body?: unknown) => Effect.Effect<Resource, CommandFailed>
    /** Writes an answer into a new file, which its owner alone may read, as it comes. */
    readonly download: (path: string, file: string) => Effect.Effect<void, CommandFailed>
    /** The first page of a list, of what fits the query. */
    readonly page: (path: string, query: Query) => Effect.Effect<typeof Page.Type, CommandFailed>
    /** All rows of a list, page after page. */
    readonly list: (path: string) => Effect.Effect<ReadonlyArray<Resource>, CommandFailed>
  }
>()("@care/cli/AdminClient") {
  /**
   * The gateway is at CARE_URL (default: this machine, PORT or 8080); the token is ADMIN_TOKEN, or the one that the start
   * command made up and keeps in the data directory.
   */
  static readonly layer = Layer.effect(
    AdminClient,
    Effect.gen(function* () {
      const { dataDirectory, port, token: given, url } = yield* settings
      const baseUrl = Option.getOrElse(url, () => `http://localhost:${port}`)
      const token = Option.isSome(given) ? Redacted.value(given.value) : yield* keptToken(dataDirectory)

      const send = (method: string, path: string, body: unknown) =>
        Effect.tryPromise({
          try: async () => {
            const response = await fetch(`${baseUrl}/admin/v1${path}`, {
              method,
              headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
              ...(body !== undefined && { body: JSON.stringify(body) })
            })
            return { isOk: response.ok, status: response.status, text: await response.text() }
          },
          catch: () =>
            new CommandFailed({ message: `No gateway answers at ${baseUrl}: start the suite, or set CARE_URL.` })
        })

      const problemOf = (status: number, text: string) =>
        new CommandFailed({
          message: Option.match(decodeProblem(text), {
            onNone: () => `The gateway answered ${status}.`,
            onSome: ({ detail, title }) => `${title}: ${detail}`
          })
        })

      const call = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
        if (token === undefined) return yield* tokenMissing
        const { isOk, status, text } = yield* send(method, path, body)
        if (isOk) return Option.getOrElse(decodeResource(text), (): Resource => ({}))
        return yield* problemOf(status, text)
      })

      const download = Effect.fnUntraced(function* (path: string, file: string) {
        if (token === undefined) return yield* tokenMissing
        yield* Effect.tryPromise({
          try: async () => {
            const headers = { authorization: `Bearer ${token}` }
            const response = await fetch(`${baseUrl}/admin/v1${path}`, { headers })
            if (!response.ok) throw problemOf(response.status, await response.text())
            const target = createWriteStream(file, { flags: "wx", mode: 0o600 })
            await pipeline(Readable.fromWeb(response.body ?? new ReadableStream()), target)
          },
          catch: (error) =>
            error instanceof CommandFailed
              ? error
              : new CommandFailed({ message: `${file} was not written whole: ${messageOf(error)}` })
        })
      })

      const page = (path: string, query: Query) =>
        call("GET", `${path}?${written({ ...query, limit: "100" })}`).pipe(
          Effect.flatMap((answer) => Effect.orDie(decodePage(answer)))
        )

      const list = Effect.fnUntraced(function* (path: string) {
        const rows: Array<Resource> = []
        let cursor: string | undefined
        do {
          const { data, nextCursor }: typeof Page.Type = yield* page(path, { cursor })
          rows.push(...data)
          cursor = nextCursor ?? undefined
        } while (cursor !== undefined)
        return rows
      })

      return AdminClient.of({ call, download, page, list })
    })
  )
}
