import { Readable } from "node:stream"
import { ReadableStream } from "node:stream/web"
import { firstSecret, secretList } from "@care/service-kit/boot"
import { Config, Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import {
  CommandFailed,
  callGateway,
  commandSettings,
  encodeQuery,
  fetchGateway,
  gatewayConnection,
  type QueryParameters,
  readStored,
  secretHeader
} from "./gateway.ts"
import { readSession } from "./storedSessions.ts"
import { writeWhole } from "./writeWhole.ts"

/** A JSON object of the admin API. */
export type Resource = typeof Resource.Type

const Resource = Schema.Record(Schema.String, Schema.Unknown)

/**
 * A page of a list; `nextCursor` is null on the last one. `cellsAway` are the cells whose rows are missing, `archivedMonths` the months whose
 * audit records are.
 */
export type ResourcePage = typeof ResourcePage.Type

const Problem = Schema.Struct({ title: Schema.String, detail: Schema.String })
const ResourcePage = Schema.Struct({
  data: Schema.Array(Resource),
  nextCursor: Schema.NullOr(Schema.String),
  cellsAway: Schema.optionalKey(Schema.Array(Schema.String)),
  archivedMonths: Schema.optionalKey(Schema.Array(Schema.String))
})

const decodeResource = Schema.decodeUnknownOption(Schema.fromJsonString(Resource))
const decodeProblem = Schema.decodeUnknownOption(Schema.fromJsonString(Problem))
const readPage = Schema.decodeUnknownEffect(ResourcePage)

/** Decodes an answer as a page of a list. */
export const decodePage = (answer: unknown) =>
  Effect.catchTag(
    readPage(answer),
    "SchemaError",
    () => new CommandFailed({ message: "The gateway's response is not a list." })
  )

const tokenHint =
  "set it to the gateway's token, which start stores in secrets.json of its data directory, or leave it unset and set CARE_DATA_DIR to that directory"

const tokenMissing = new CommandFailed({
  message: `ADMIN_TOKEN is missing: ${tokenHint}. As a member of staff, run care login.`
})

const tokenRejected = new CommandFailed({
  message: `Unauthorized. The gateway has another ADMIN_TOKEN, or your session has ended: ${tokenHint}. As a member of staff, run care login.`
})

const adminTokens = secretList("ADMIN_TOKEN")

/** The token that the start command generated. */
const keptToken = (dataDirectory: string) =>
  Effect.mapError(
    Effect.map(readStored(dataDirectory, "secrets.json", "ADMIN_TOKEN"), (text) => text && firstSecret(text)),
    (file) => new CommandFailed({ message: `${file} cannot be read: set ADMIN_TOKEN to the gateway's token.` })
  )

/** The admin API, called with the operator's token. */
export class AdminClient extends Context.Service<
  AdminClient,
  {
    /** Makes a call, and returns the resource of the answer, or undefined without one. */
    readonly call: (method: string, path: string, body?: unknown) => Effect.Effect<Resource, CommandFailed>
    /**
     * Streams an answer into a new file that only its owner can read. Until it is complete the file's name ends with
     * `.part`.
     */
    readonly download: (path: string, file: string) => Effect.Effect<void, CommandFailed>
    /** Returns a page of a list, by default the first one with at most 100 rows. */
    readonly page: (path: string, query: QueryParameters) => Effect.Effect<ResourcePage, CommandFailed>
    /** Returns a whole list as one page. */
    readonly list: (path: string) => Effect.Effect<ResourcePage, CommandFailed>
  }
>()("@care/cli/AdminClient") {
  /**
   * Uses the gateway at CARE_URL (default: this machine, PORT or 8080) with ADMIN_TOKEN, else with the session of `care login`, else with the
   * token that the start command generated in the data directory.
   */
  static readonly layer = Layer.effect(
    AdminClient,
    Effect.gen(function* () {
      const { baseUrl, dataDirectory } = yield* gatewayConnection
      // Read when needed, because commands of partners need no token.
      const headers = yield* Effect.cached(
        Effect.gen(function* () {
          const configured = yield* commandSettings(Config.option(adminTokens))
          const token = Option.isSome(configured)
            ? Redacted.value(configured.value[0])
            : ((yield* readSession(baseUrl)) ?? (yield* keptToken(dataDirectory)))
          if (token === undefined) return yield* tokenMissing
          return yield* secretHeader("authorization", `Bearer ${token}`, "ADMIN_TOKEN")
        })
      )

      // The gateway's own text is about request headers.
      const problemOf = (status: number, text: string) =>
        status === 401
          ? tokenRejected
          : new CommandFailed({
              message: Option.match(decodeProblem(text), {
                onNone: () => `The gateway answered ${status}.`,
                onSome: ({ detail, title }) => `${title}: ${detail}`
              })
            })

      const call = Effect.fnUntraced(function* (method: string, path: string, body?: unknown) {
        const { isOk, status, text } = yield* callGateway(baseUrl, method, `/admin/v1${path}`, yield* headers, body)
        if (isOk) return Option.getOrElse(decodeResource(text), (): Resource => ({}))
        return yield* problemOf(status, text)
      })

      const download = Effect.fnUntraced(function* (path: string, file: string) {
        const init = { headers: yield* headers }
        yield* writeWhole(file, async (signal) => {
          const response = await fetchGateway(baseUrl, `/admin/v1${path}`, { ...init, signal })
          if (!response.ok) throw problemOf(response.status, await response.text())
          return Readable.fromWeb(response.body ?? new ReadableStream())
        })
      })

      const page = (path: string, query: QueryParameters) =>
        call("GET", `${path}?${encodeQuery({ limit: "100", ...query })}`).pipe(Effect.flatMap(decodePage))

      const list = Effect.fnUntraced(function* (path: string) {
        const rows: Array<Resource> = []
        const away = new Set<string>()
        let cursor: string | undefined
        do {
          const { cellsAway = [], data, nextCursor }: ResourcePage = yield* page(path, { cursor })
          rows.push(...data)
          for (const cell of cellsAway) away.add(cell)
          cursor = nextCursor ?? undefined
        } while (cursor !== undefined)
        return { data: rows, nextCursor: null, ...(away.size > 0 && { cellsAway: [...away].sort() }) }
      })

      return AdminClient.of({ call, download, page, list })
    })
  )
}
