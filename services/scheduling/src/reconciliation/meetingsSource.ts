import { lengths } from "@care/domain/http"
import type { SweepSource, SweptPage } from "@care/service"
import { isTestMode } from "@care/service-kit"
import { DateTime, Effect, Option, Schema } from "effect"
import { collectionOf, ProviderApi, ScheduledEvent } from "../provider/index.ts"
import { type Comparison, compareEach } from "./compareEach.ts"
import { makeMeetingsRepo } from "./MeetingsRepo.ts"
import { makeCompareMeetings } from "./makeCompareMeetings.ts"
import { ownOrganization } from "./ownOrganization.ts"

const pageSize = 100

// After every possible booking.
const farFuture = new Date("2200-01-01T00:00:00Z")

/**
 * The position of a page: `token` is the provider's, absent for the first page; `from` is the start of the list, and
 * `after` the start of the previous page's last meeting, in milliseconds. `compared` are the meetings of this page that
 * were compared before it ended early.
 */
const Position = Schema.fromJsonString(
  Schema.Struct({
    from: Schema.Int,
    token: Schema.optionalKey(Schema.String),
    after: Schema.Int,
    compared: Schema.optionalKey(Schema.Array(Schema.String))
  })
)
const decodePosition = Schema.decodeUnknownOption(Position)
const encodePosition = Schema.encodeSync(Position)

// The sweep ends, and the next one begins anew.
const endOfSweep: SweptPage = { cursor: "", isLast: true, compared: 0, differences: [] }

const decodeEvent = Schema.decodeUnknownOption(ScheduledEvent)
const hasUri = Schema.is(Schema.Struct({ uri: Schema.String.check(Schema.isMaxLength(lengths.reference)) }))

const unreadable = (row: unknown): Comparison => {
  const [id, organizationId] = [hasUri(row) ? row.uri : "unknown", null]
  const what = "A meeting in the provider's list cannot be read"
  return { id, organizationId, run: Effect.succeed([{ action: "REPORTED", what, id, organizationId }]) }
}

/**
 * Compares the provider's meetings from yesterday on with our appointments, by their start, because the provider has no
 * list of changes. A missed cancellation or move is applied as its event would be. An unknown meeting settles a booking
 * that was not answered.
 */
export const makeMeetingsSource = Effect.gen(function* () {
  const api = yield* ProviderApi
  const repo = yield* makeMeetingsRepo
  const { compare, compareMissing, settle } = yield* makeCompareMeetings

  const listed = (organization: string, from: number, token: string | undefined) => {
    const query = {
      organization,
      min_start_time: new Date(from).toISOString(),
      sort: "start_time:asc",
      count: String(pageSize),
      ...(token !== undefined && { page_token: token })
    }
    return api.read(undefined, "/scheduled_events", query, collectionOf(Schema.Unknown))
  }

  // Returns the comparisons of a page: the provider's meetings, and our appointments in its range.
  const comparisonsOf = Effect.fnUntraced(function* (rows: ReadonlyArray<unknown>, after: number, isLastPage: boolean) {
    const decoded = rows.map((row) => ({ row, event: Option.getOrUndefined(decodeEvent(row)) }))
    const events = decoded.flatMap(({ event }) => event ?? [])
    const last = events.at(-1)?.start_time.getTime() ?? after
    const isTest = yield* isTestMode
    const stored = yield* repo.findByAgentEventIds(
      events.map(({ uri }) => uri),
      isTest
    )
    const storedById = new Map(stored.map((meeting) => [meeting.agentEventId, meeting]))
    const ours = yield* repo.findBeginning(
      new Date(after),
      isLastPage ? farFuture : new Date(last),
      2 * pageSize,
      isTest
    )
    const theirs = decoded.map(({ event, row }): Comparison => {
      if (event === undefined) return unreadable(row)
      const meeting = storedById.get(event.uri)
      return {
        id: event.uri,
        organizationId: meeting?.organizationId ?? null,
        run: meeting === undefined ? settle(event) : compare(event, meeting)
      }
    })
    const missing = ours
      .filter(({ agentEventId }) => !storedById.has(agentEventId))
      .map((meeting): Comparison => {
        const { agentEventId: id, organizationId } = meeting
        return { id, organizationId, run: compareMissing(meeting) }
      })
    return { last, comparisons: [...theirs, ...missing] }
  })

  const sweepPage = Effect.fnUntraced(function* (cursor: string | undefined) {
    const yesterday = DateTime.toEpochMillis(DateTime.subtract(yield* DateTime.now, { days: 1 }))
    const position = Option.getOrElse(decodePosition(cursor), () => ({ from: yesterday, after: yesterday }))
    const { after, compared: alreadyCompared = [], from, token }: typeof Position.Type = position
    const organization = yield* ownOrganization.pipe(Effect.provideService(ProviderApi, api))
    const page = yield* Effect.catchIf(
      listed(organization, from, token),
      // The token has expired.
      ({ _tag }) => _tag === "ProviderErrorResponse" && token !== undefined,
      () => Effect.undefined
    )
    if (page === undefined) return endOfSweep
    const { collection, pagination } = page
    const nextToken = pagination?.next_page_token ?? undefined
    const { comparisons, last } = yield* comparisonsOf(collection, after, nextToken === undefined)
    const isCompared = new Set(alreadyCompared)
    const pending = comparisons.filter(({ id }) => !isCompared.has(id))
    const { compared, differences } = yield* compareEach(pending)
    const result = { compared: compared.length, differences }
    if (compared.length < pending.length) {
      const samePage = encodePosition({ ...position, compared: [...alreadyCompared, ...compared] })
      return { ...result, cursor: samePage, isLast: false }
    }
    const nextPage = nextToken === undefined ? "" : encodePosition({ from, token: nextToken, after: last })
    return { ...result, cursor: nextPage, isLast: nextToken === undefined }
  })

  const source: SweepSource = {
    name: "meetings",
    page: (cursor) =>
      sweepPage(cursor).pipe(
        Effect.catchTag("ProviderNotConfigured", () => Effect.succeed(endOfSweep)),
        Effect.orDie
      )
  }
  return source
})
