import { lengths } from "@care/domain/http"
import type { SweepSource, SweptPage } from "@care/service"
import { DateTime, Effect, Option, Schema } from "effect"
import { collectionOf, ProviderApi, ScheduledEvent } from "../provider/index.ts"
import { type Comparison, compareEach } from "./compareEach.ts"
import { makeMeetingsRepo } from "./MeetingsRepo.ts"
import { makeCompareMeetings } from "./makeCompareMeetings.ts"
import { ownOrganization } from "./ownOrganization.ts"

const count = 100

// After everything that anybody books.
const farFuture = new Date("2200-01-01T00:00:00Z")

/**
 * Where a page begins: `token` is the provider's for the list from a time on, none for its first page, and `after` when the last meeting
 * of the page before begins; times in milliseconds. `compared` are the meetings of the page that were compared before it ended early.
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

// A sweep of the meetings that ends, and begins anew the next time.
const ended: SweptPage = { cursor: "", isLast: true, compared: 0, differences: [] }

const decodeEvent = Schema.decodeUnknownOption(ScheduledEvent)
const hasUri = Schema.is(Schema.Struct({ uri: Schema.String.check(Schema.isMaxLength(lengths.reference)) }))

const unreadable = (row: unknown): Comparison => {
  const [id, organizationId] = [hasUri(row) ? row.uri : "unknown", null]
  const what = "A meeting in the provider's list cannot be read"
  return { id, organizationId, run: Effect.succeed([{ action: "REPORTED", what, id, organizationId }]) }
}

/**
 * The provider's meetings from yesterday on, compared with the appointments here, by when they begin: the provider has no list of what
 * changed. One that was called off or moved there, and of which we were not told, is taken in as if it had been told. One that is not known here is looked at when
 * somebody asked for it and was not answered.
 */
export const makeMeetingsSource = Effect.gen(function* () {
  const api = yield* ProviderApi
  const repo = yield* makeMeetingsRepo
  const { compare, look, settle } = yield* makeCompareMeetings

  const listed = (organization: string, from: number, token: string | undefined) => {
    const query = {
      organization,
      min_start_time: new Date(from).toISOString(),
      sort: "start_time:asc",
      count: String(count),
      ...(token !== undefined && { page_token: token })
    }
    return api.read(undefined, "/scheduled_events", query, collectionOf(Schema.Unknown))
  }

  // What a page of the list says, and what is kept here and begins in its time.
  const comparisonsOf = Effect.fnUntraced(function* (rows: ReadonlyArray<unknown>, after: number, isWhole: boolean) {
    const read = rows.map((row) => ({ row, event: Option.getOrUndefined(decodeEvent(row)) }))
    const events = read.flatMap(({ event }) => event ?? [])
    const last = events.at(-1)?.start_time.getTime() ?? after
    const known = new Map((yield* repo.known(events.map(({ uri }) => uri))).map((one) => [one.agentEventId, one]))
    const ours = yield* repo.beginning(new Date(after), isWhole ? farFuture : new Date(last), 2 * count)
    const theirs = read.map(({ event, row }): Comparison => {
      if (event === undefined) return unreadable(row)
      const meeting = known.get(event.uri)
      return {
        id: event.uri,
        organizationId: meeting?.organizationId ?? null,
        run: meeting === undefined ? settle(event) : compare(event, meeting)
      }
    })
    const missing = ours
      .filter(({ agentEventId }) => !known.has(agentEventId))
      .map((one): Comparison => ({ id: one.agentEventId, organizationId: one.organizationId, run: look(one) }))
    return { last, comparisons: [...theirs, ...missing] }
  })

  const sweepPage = Effect.fnUntraced(function* (cursor: string | undefined) {
    const yesterday = DateTime.toEpochMillis(DateTime.subtract(yield* DateTime.now, { days: 1 }))
    const kept = Option.getOrElse(decodePosition(cursor), () => ({ from: yesterday, after: yesterday }))
    const { after, compared: before = [], from, token }: typeof Position.Type = kept
    const organization = yield* ownOrganization.pipe(Effect.provideService(ProviderApi, api))
    const page = yield* Effect.catchIf(
      listed(organization, from, token),
      // The token is too old.
      ({ _tag }) => _tag === "ProviderAnswer" && token !== undefined,
      () => Effect.undefined
    )
    if (page === undefined) return ended
    const { collection, pagination } = page
    const next = pagination?.next_page_token ?? undefined
    const { comparisons, last } = yield* comparisonsOf(collection, after, next === undefined)
    const isCompared = new Set(before)
    const left = comparisons.filter(({ id }) => !isCompared.has(id))
    const { compared, differences } = yield* compareEach(left)
    const done = { compared: compared.length, differences }
    if (compared.length < left.length) {
      const again = encodePosition({ ...kept, compared: [...before, ...compared] })
      return { ...done, cursor: again, isLast: false }
    }
    const following = next === undefined ? "" : encodePosition({ from, token: next, after: last })
    return { ...done, cursor: following, isLast: next === undefined }
  })

  const source: SweepSource = {
    name: "meetings",
    page: (cursor) =>
      sweepPage(cursor).pipe(
        Effect.catchTag("ProviderNotConfigured", () => Effect.succeed(ended)),
        Effect.orDie
      )
  }
  return source
})
