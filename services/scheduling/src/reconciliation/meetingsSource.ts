import type { OrganizationId } from "@care/domain/ids"
import type { SweepSource, SweptPage } from "@care/service-kit"
import { DateTime, Effect, Option, Schema } from "effect"
import { Appointments } from "../appointments/Appointments.ts"
import { cancellationOf } from "../provider/cancellationOf.ts"
import { meetingOf } from "../provider/meetingOf.ts"
import { ProviderApi } from "../provider/ProviderApi.ts"
import { collectionOf, Invitee, resourceOf, ScheduledEvent } from "../provider/providerObjects.ts"
import { type KnownMeeting, makeMeetingsRepo } from "./MeetingsRepo.ts"
import { ownOrganization } from "./ownOrganization.ts"

const count = 100

// After everything that anybody books.
const farFuture = new Date("2200-01-01T00:00:00Z")

// What we cancelled is cancelled at the provider a moment later.
const longestCancelling = { hours: 1 }

/**
 * Where a page begins: `token` is the provider's for the list from a time on, and `after` when the last meeting of the page before
 * begins; times in milliseconds.
 */
const Position = Schema.fromJsonString(Schema.Struct({ from: Schema.Int, token: Schema.String, after: Schema.Int }))
const decodePosition = Schema.decodeUnknownOption(Position)
const encodePosition = Schema.encodeSync(Position)

// A sweep of the meetings that ends, and begins anew the next time.
const ended: SweptPage = { cursor: "", isLast: true, compared: 0, differences: [] }

type Differences = SweptPage["differences"]

const reported = (what: string, { agentEventId: id, organizationId }: KnownMeeting): Differences => [
  { action: "REPORTED", what, id, organizationId }
]

/**
 * The provider's meetings from yesterday on, compared with the appointments here, by when they begin: the provider has no list of what
 * changed. One that was called off or moved there, and of which we were not told, is taken in as if it had been told.
 */
export const makeMeetingsSource = Effect.gen(function* () {
  const api = yield* ProviderApi
  const appointments = yield* Appointments
  const repo = yield* makeMeetingsRepo

  const inviteeOf = Effect.fnUntraced(function* (organizationId: OrganizationId, agentEventId: string) {
    const path = `/scheduled_events/${encodeURIComponent(agentEventId)}/invitees`
    const { collection } = yield* api.read(organizationId, path, {}, collectionOf(Invitee))
    return collection[0]
  })

  const eventAt = (organizationId: OrganizationId, agentEventId: string) =>
    Effect.map(
      api.read(organizationId, `/scheduled_events/${encodeURIComponent(agentEventId)}`, {}, resourceOf(ScheduledEvent)),
      ({ resource }) => resource
    )

  // Told as the provider tells of a meeting that was moved: what it became, and that it does not take place as it was.
  const observeMove = Effect.fnUntraced(function* (
    organizationId: OrganizationId,
    movedFrom: string,
    agentEventId: string,
    now: Date
  ) {
    const event = yield* eventAt(organizationId, agentEventId)
    const invitee = yield* inviteeOf(organizationId, agentEventId)
    const { event_type: eventTypeId } = event
    const told = { type: "invitee.created", agentEventId, movedFrom, eventTypeId, email: invitee?.email ?? "" } as const
    return yield* appointments.observe({ ...told, meeting: meetingOf(event, invitee) }, now)
  })

  const takeIn = Effect.fnUntraced(function* (event: ScheduledEvent, known: KnownMeeting) {
    const now = yield* DateTime.nowAsDate
    const invitee = yield* inviteeOf(known.organizationId, event.uri)
    const movedTo = invitee?.new_invitee
    const isMoved = typeof movedTo === "string"
    const { canceledBy, reason } = cancellationOf(event.cancellation)
    const canceled = { type: "invitee.canceled", agentEventId: event.uri, isMoved, canceledBy, reason } as const
    const isEnded = yield* appointments.observe(canceled, now)
    const isNew = isMoved ? yield* observeMove(known.organizationId, event.uri, movedTo, now) : isEnded
    // What was told before, and did not change it: it is not what the provider says.
    if (!isNew) return reported("An appointment does not take place at the provider any more", known)
    const what = isMoved
      ? "An appointment had been moved at the provider"
      : "An appointment had been called off at the provider"
    return [{ action: "REPAIRED", what, id: event.uri, organizationId: known.organizationId }] satisfies Differences
  })

  const compare = Effect.fnUntraced(function* (event: ScheduledEvent, known: KnownMeeting) {
    if (event.status !== "active") return known.isDeleted ? [] : yield* takeIn(event, known)
    if (!known.isDeleted) {
      const isMoved = +event.start_time !== +known.startsAt
      return isMoved ? reported("An appointment begins at another time at the provider", known) : []
    }
    const isSettled = known.updatedAt < DateTime.toDateUtc(DateTime.subtract(yield* DateTime.now, longestCancelling))
    return isSettled ? reported("A cancelled appointment takes place at the provider", known) : []
  })

  // What the provider's list should have had.
  const look = Effect.fnUntraced(function* (known: KnownMeeting) {
    const found = yield* Effect.option(
      Effect.catchIf(
        eventAt(known.organizationId, known.agentEventId),
        (refusal) => refusal._tag !== "ProviderAnswer" || refusal.status !== 404,
        Effect.die
      )
    )
    return Option.isNone(found)
      ? reported("The provider does not know an appointment", known)
      : yield* compare(found.value, known)
  })

  const listed = (organization: string, from: number, token: string | undefined) => {
    const query = {
      organization,
      min_start_time: new Date(from).toISOString(),
      sort: "start_time:asc",
      count: String(count),
      ...(token !== undefined && { page_token: token })
    }
    return api.read(undefined, "/scheduled_events", query, collectionOf(ScheduledEvent))
  }

  const sweepPage = Effect.fnUntraced(function* (cursor: string | undefined) {
    const yesterday = DateTime.toEpochMillis(DateTime.subtract(yield* DateTime.now, { days: 1 }))
    const kept = Option.getOrUndefined(decodePosition(cursor))
    const [from, after] = [kept?.from ?? yesterday, kept?.after ?? yesterday]
    const organization = yield* ownOrganization.pipe(Effect.provideService(ProviderApi, api))
    const page = yield* Effect.catchIf(
      listed(organization, from, kept?.token),
      // The token is too old.
      ({ _tag }) => _tag === "ProviderAnswer" && kept !== undefined,
      () => Effect.undefined
    )
    if (page === undefined) return ended
    const { collection, pagination } = page
    const next = pagination?.next_page_token
    const last = collection.at(-1)?.start_time.getTime() ?? after
    const known = new Map((yield* repo.known(collection.map(({ uri }) => uri))).map((one) => [one.agentEventId, one]))
    const told = yield* Effect.forEach(collection, (event) => {
      const meeting = known.get(event.uri)
      return meeting === undefined ? Effect.succeed([]) : compare(event, meeting)
    })
    const until = typeof next === "string" ? new Date(last) : farFuture
    const ours = yield* repo.beginning(new Date(after), until, 2 * count)
    const missing = yield* Effect.forEach(
      ours.filter(({ agentEventId }) => !known.has(agentEventId)),
      look
    )
    return {
      cursor: typeof next === "string" ? encodePosition({ from, token: next, after: last }) : "",
      isLast: typeof next !== "string",
      compared: collection.length,
      differences: [...told, ...missing].flat()
    }
  })

  const source: SweepSource = {
    name: "meetings",
    page: (cursor) =>
      sweepPage(cursor).pipe(
        Effect.catchTag("ProviderMissing", () => Effect.succeed(ended)),
        Effect.orDie
      )
  }
  return source
})
