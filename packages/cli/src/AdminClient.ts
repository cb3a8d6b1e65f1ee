import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { gatewayPort } from "@care/domain/peers"
import { portSetting, readSettings, urlSetting } from "@care/service-kit/boot"
import { Config, Context, Data, Effect, Layer, Option, Redacted, Schema } from "effect"

/** Why a command did not work, as one sentence. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{ readonly message: string }> {}

/** A JSON object as the admin API answers it. */
export type Resource = typeof Resource.Type

const Resource = Schema.Record(Schema.String, Schema.Unknown)

/** A page of a list; `nextCursor` leads to the next one, and is null on the last. */
export type Page = typeof Page.Type

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
    /** The first page of a list, of what fits the query. */
    readonly page: (path: string, query: Query) => Effect.Effect<Page, CommandFailed>
    /** A list to its end, as one page. */
    readonly list: (path: string) => Effect.Effect<Page, CommandFailed>
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

      const call = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
        if (token === undefined) {
          return yield* new CommandFailed({ message: "ADMIN_TOKEN is missing: set it to the gateway's." })
        }
        const { isOk, status, text } = yield* send(method, path, body)
        if (isOk) return Option.getOrElse(decodeResource(text), (): Resource => ({}))
        return yield* new CommandFailed({
          message: Option.match(decodeProblem(text), {
            onNone: () => `The gateway answered ${status}.`,
            onSome: ({ detail, title }) => `${title}: ${detail}`
          })
        })
      })

      const page = (path: string, query: Query) =>
        call("GET", `${path}?${written({ ...query, limit: "100" })}`).pipe(
          Effect.flatMap(decodePage),
          Effect.catchTag("SchemaError", () => new CommandFailed({ message: `The gateway answered no list: ${path}.` }))
        )

      const list = Effect.fnUntraced(function* (path: string) {
        const rows: Array<Resource> = []
        let cursor: string | undefined
        do {
          const { data, nextCursor }: Page = yield* page(path, { cursor })
          rows.push(...data)
          cursor = nextCursor ?? undefined
        } while (cursor !== undefined)
        return { data: rows, nextCursor: null }
      })

      return AdminClient.of({ call, page, list })
    })
  )
}
