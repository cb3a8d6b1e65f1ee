import { LoggedRequest } from "@care/domain/auth"
import { Effect, Ref, Schedule, Schema } from "effect"
import { Command, Flag } from "effect/cli"
import { decodePage } from "../AdminClient.ts"
import { CommandFailed, exitCodes } from "../CommandFailed.ts"
import { gatewayConnection } from "../gateway.ts"
import { optionalText } from "../inputs.ts"
import { type Colour, printColoured, printNotice } from "../output.ts"
import { keyFlag, makePartnerClient, type PartnerClient } from "../PartnerClient.ts"

// A slow request is listed by its arrival, after others that came later.
const lateMillis = 60_000

type Query = Readonly<Record<string, string | undefined>>

const Request = LoggedRequest.mapFields(({ at: _, ...fields }) => ({ ...fields, at: Schema.String }))
type Request = typeof Request.Type

const decodeRequests = Schema.decodeUnknownEffect(Schema.Array(Request))

const notALog = new CommandFailed({ message: "The gateway's response is not a request log." })

/** Reads a page, newest first. */
const readPage = Effect.fnUntraced(function* ({ call }: PartnerClient, query: Query) {
  const answer = yield* call("requestLogs.list", { query })
  const { data, nextCursor } = yield* decodePage(answer)
  const requests = yield* Effect.mapError(decodeRequests(data), () => notALog)
  return { requests, nextCursor, isComplete: answer["isComplete"] !== false }
})

const colourOf = (status: number): Colour => (status < 400 ? "green" : status < 500 ? "yellow" : "red")

const print = (request: Request, baseUrl: string) => {
  const { at, durationMs, errorCode, method, path, requestId, status } = request
  const code = errorCode === null ? [] : [errorCode, `${baseUrl}/docs/errors#${errorCode}`]
  const after = ["", `${method} ${path}`, `${durationMs} ms`, requestId, ...code].join("  ")
  return printColoured(request, [`${at}  `, String(status), after], colourOf(status))
}

/** Prints what is new, once each, every second. It goes on when the gateway does not answer. */
const followLog = Effect.fnUntraced(function* (client: PartnerClient, query: Query, baseUrl: string) {
  const known = yield* Ref.make<ReadonlyMap<string, number>>(new Map())

  const look = Effect.gen(function* () {
    const before = yield* Ref.get(known)
    const newest = Math.max(...before.values())
    const from = before.size === 0 ? query["since"] : new Date(newest - lateMillis).toISOString()
    const found: Array<Request> = []
    let cursor: string | undefined
    do {
      const page = yield* readPage(client, { ...query, since: from, cursor, limit: "100" })
      const fresh = page.requests.filter(({ id }) => !before.has(id))
      found.push(...fresh)
      // Without any known request yet, the newest page is where to begin.
      const isRead = fresh.length === 0 || before.size === 0
      cursor = isRead ? undefined : (page.nextCursor ?? undefined)
    } while (cursor !== undefined)
    yield* Effect.forEach(found.toReversed(), (request) => print(request, baseUrl), { discard: true })
    const all = [...before, ...found.map(({ at, id }) => [id, Date.parse(at)] as const)]
    const last = Math.max(...all.map(([, at]) => at))
    yield* Ref.set(known, new Map(all.filter(([, at]) => at >= last - 2 * lateMillis)))
  })

  return yield* look.pipe(
    Effect.catchIf(
      ({ exitCode }) => exitCode === exitCodes.unavailable,
      ({ message }) => printNotice(message)
    ),
    Effect.repeat(Schedule.spaced("1 second"))
  )
})

/** Shows the organization's own requests to the partner API. */
export const logs = Command.make(
  "logs",
  {
    key: keyFlag,
    status: optionalText("status", "Only requests with this status, such as 404, or a class of them, such as 4xx"),
    method: optionalText("method", "Only requests with this method, such as POST"),
    path: optionalText("path", "Only requests of this path, as the log has it, such as /api/v1/cases/:caseId"),
    since: optionalText("since", "Only requests since this time, such as 2026-08-01T10:00:00Z"),
    until: optionalText("until", "Only requests until this time"),
    requestId: optionalText("request", "Only the request with this x-request-id"),
    limit: optionalText("limit", "How many requests, 50 by default"),
    follow: Flag.Boolean("follow").pipe(
      Flag.withDescription("Go on with new requests, until it is interrupted"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ follow, key, limit, ...query }) {
    const { baseUrl } = yield* gatewayConnection
    const client = yield* makePartnerClient(key)
    if (follow) return yield* followLog(client, query, baseUrl)
    const { isComplete, requests } = yield* readPage(client, { ...query, limit })
    yield* Effect.forEach(requests.toReversed(), (request) => print(request, baseUrl), { discard: true })
    return yield* isComplete
      ? Effect.void
      : printNotice("Some requests of this time are not in the log: there were too many.")
  })
).pipe(
  Command.withDescription("Show your requests of the last seven days, the newest last"),
  Command.withExamples([
    { command: "care logs --status 4xx", description: "Show refused requests, and where their errors are explained" },
    { command: "care logs --follow --json", description: "Print each new request as one JSON document a line" }
  ])
)
