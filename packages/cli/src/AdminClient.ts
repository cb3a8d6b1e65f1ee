import { firstSecret, secretList } from "@care/service-kit/boot"
import { Config, Context, Effect, Layer, Option, Redacted, Schema, Stream } from "effect"
import type * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { CommandFailed, exitCodes } from "./CommandFailed.ts"
import { callOperation, type WireRequest } from "./callOperation.ts"
import {
  commandSettings,
  failureOf,
  type GatewayClient,
  gatewayClient,
  gatewayConnection,
  readStored,
  secretHeader
} from "./gateway.ts"
import { readSession } from "./storedSessions.ts"

/** A JSON object of the admin API. */
export type Resource = typeof Resource.Type

const Resource = Schema.Record(Schema.String, Schema.Unknown)

/**
 * A page of a list; `nextCursor` is null on the last one. `cellsAway` are the cells whose rows are missing, `archivedMonths` the months whose
 * audit records are.
 */
export type ResourcePage = typeof ResourcePage.Type

const ResourcePage = Schema.Struct({
  data: Schema.Array(Resource),
  nextCursor: Schema.NullOr(Schema.String).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  cellsAway: Schema.optionalKey(Schema.Array(Schema.String)),
  archivedMonths: Schema.optionalKey(Schema.Array(Schema.String))
})

const decodeResource = Schema.decodeUnknownOption(Schema.fromJsonString(Resource))
const readPage = Schema.decodeUnknownEffect(ResourcePage)

/** Reads an answer as a page of a list, with what else it has. */
export const decodePage = (answer: Resource): Effect.Effect<ResourcePage, CommandFailed> =>
  readPage(answer).pipe(
    Effect.map((page) => ({ ...answer, ...page })),
    Effect.catchTag("SchemaError", () => new CommandFailed({ message: "The gateway's response is not a list." }))
  )

/** Calls an operation, and returns the JSON object of its answer; it is empty without one. */
export const callForResource = Effect.fnUntraced(function* (...call: Parameters<typeof callOperation>) {
  const { text } = yield* callOperation(...call)
  return Option.getOrElse(decodeResource(yield* Effect.mapError(text, failureOf)), (): Resource => ({}))
})

const tokenHint =
  "set it to the gateway's token, which start stores in secrets.json of its data directory, or leave it unset and set CARE_DATA_DIR to that directory"

const signIn = "As a member of staff, run `care login`."

const tokenMissing = new CommandFailed({
  message: `ADMIN_TOKEN is missing: ${tokenHint}.`,
  remedy: signIn,
  exitCode: exitCodes.signIn
})

const adminTokens = secretList("ADMIN_TOKEN")

/** The token that the start command generated. */
const keptToken = (dataDirectory: string) =>
  Effect.mapError(
    Effect.map(readStored(dataDirectory, "secrets.json", "ADMIN_TOKEN"), (text) => text && firstSecret(text)),
    (file) => new CommandFailed({ message: `${file} cannot be read: set ADMIN_TOKEN to the gateway's token.` })
  )

// The gateway's own text is about request headers.
const rejectedAs = (isSession: boolean) => (failure: CommandFailed) =>
  failure.answer?.status !== 401
    ? failure
    : new CommandFailed({
        message: isSession ? "Your session has ended." : `ADMIN_TOKEN is not accepted: ${tokenHint}.`,
        answer: failure.answer,
        remedy: isSession ? "Sign in with `care login`." : signIn,
        exitCode: exitCodes.signIn
      })

/** The admin API, called with the operator's token, or as the member of staff who is signed in. */
export class AdminClient extends Context.Service<
  AdminClient,
  {
    /** The client for typed clients of groups. */
    readonly httpClient: GatewayClient
    /** Calls an operation, and returns the JSON object of its answer. */
    readonly call: (
      operation: string,
      request: WireRequest,
      nameOf?: (path: string) => string
    ) => Effect.Effect<Resource, CommandFailed>
    /** Calls an operation, and returns the bytes of its answer. */
    readonly open: (
      operation: string,
      request: WireRequest
    ) => Effect.Effect<Stream.Stream<Uint8Array, unknown>, CommandFailed>
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
      const credentials = yield* Effect.cached(
        Effect.gen(function* () {
          const configured = yield* commandSettings(Config.option(adminTokens))
          const session = Option.isSome(configured) ? undefined : yield* readSession(baseUrl)
          const token = Option.isSome(configured)
            ? Redacted.value(configured.value[0])
            : (session ?? (yield* keptToken(dataDirectory)))
          if (token === undefined) return yield* tokenMissing
          return {
            headers: yield* secretHeader("authorization", `Bearer ${token}`, "ADMIN_TOKEN"),
            rejected: rejectedAs(session !== undefined)
          }
        })
      )
      const httpClient = yield* gatewayClient(baseUrl, credentials)
      return AdminClient.of({
        httpClient,
        call: (operation, request, nameOf) => callForResource(httpClient, operation, request, nameOf),
        open: (operation, request) => Effect.map(callOperation(httpClient, operation, request), ({ stream }) => stream)
      })
    })
  )
}

/** Returns a whole list as one page. */
export const listAll = Effect.fnUntraced(function* (operation: string, request: WireRequest) {
  const { call } = yield* AdminClient
  const rows: Array<Resource> = []
  const away = new Set<string>()
  let cursor: string | undefined
  do {
    const {
      cellsAway = [],
      data,
      nextCursor
    }: ResourcePage = yield* decodePage(yield* call(operation, { ...request, query: { ...request.query, cursor } }))
    rows.push(...data)
    for (const cell of cellsAway) away.add(cell)
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined)
  return { data: rows, nextCursor: null, ...(away.size > 0 && { cellsAway: [...away].sort() }) }
})

/** Makes the typed client of a group of the admin API. */
export const adminGroup = Effect.fnUntraced(function* <
  Id extends string,
  Groups extends HttpApiGroup.Constraint,
  const Group extends HttpApiGroup.Identifier<Groups>
>(api: HttpApi.HttpApi<Id, Groups>, group: Group) {
  const { httpClient } = yield* AdminClient
  return yield* HttpApiClient.group(api, { group, httpClient })
})

/** Where a page of a list begins. */
export interface ListPosition<Cursor> {
  readonly cursor?: Cursor
}

/** Streams the pages of a list, which `read` reads. */
export const listPages = <Cursor, Page extends { readonly nextCursor: Cursor | null }, E, R>(
  read: (position: ListPosition<Cursor>) => Effect.Effect<Page, E, R>
) =>
  Stream.paginate<ListPosition<Cursor>, Page, CommandFailed, R>({}, (position) =>
    Effect.map(Effect.mapError(read(position), failureOf), (page) => {
      const { nextCursor } = page
      return [[page], nextCursor === null ? Option.none() : Option.some({ cursor: nextCursor })]
    })
  )
