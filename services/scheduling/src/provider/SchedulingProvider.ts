import type { OrganizationId } from "@care/domain/ids"
import {
  EventTypeShared,
  EventTypeUnknown,
  type MeetingLocation,
  type OpenSlot,
  type ProviderBusy,
  type ProviderNotConfigured,
  ProviderRefused
} from "@care/domain/scheduling"
import { type ByMode, makeModes, type PeerUnavailable } from "@care/service-kit"
import { Array as Arr, Context, Data, DateTime, Effect, Layer, Option, Schema } from "effect"
import { type BookingRefusal, bookingRefusal } from "./bookingRefusal.ts"
import { cancellationOf, type Meeting, type MeetingCancellation, meetingOf } from "./meetingOf.ts"
import { outcomeUnknown } from "./outcomeUnknown.ts"
import { ProviderApi, type ProviderRefusal } from "./ProviderApi.ts"
import {
  AvailableTime,
  collectionOf,
  EventType,
  Invitee,
  isShared,
  resourceOf,
  ScheduledEvent,
  User
} from "./providerObjects.ts"

/** A meeting to book: the slot of an event type, and the invitee. */
export interface NewMeeting {
  readonly eventTypeId: string
  readonly startsAt: Date
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly timezone: string
  readonly location: MeetingLocation
  /** Has all members, or is absent. */
  readonly tracking?: Readonly<Record<string, string | null>>
}

/** A meeting at the provider. `cancellation` is null while it takes place. */
export interface CurrentMeeting extends Meeting {
  readonly cancellation: MeetingCancellation | null
}

/** The criteria for a meeting whose booking was not answered. */
interface MeetingCriteria extends Pick<NewMeeting, "eventTypeId" | "startsAt" | "email"> {
  /** When the booking was first requested. */
  readonly askedAt: Date
}

/** The account may not book: its plan or the token's scopes. The operator must fix that. */
class BookingDenied extends Data.TaggedError("BookingDenied") {
  override get message() {
    return "The scheduling provider lets SCHEDULING_API_TOKEN book nothing (403): the plan of its account does not include it, or the token has no scope for it"
  }
}

/** The provider accepts no request at the moment, or there is none. */
export type ProviderNotReady = ProviderBusy | ProviderNotConfigured

const minute = "1 minute"

const isActive = ({ status }: ScheduledEvent): boolean => status === "active"

// The provider's clock may be behind ours.
const isSince = (event: ScheduledEvent, { askedAt }: MeetingCriteria): boolean =>
  event.created_at >= DateTime.toDateUtc(DateTime.subtractDuration(DateTime.fromDateUnsafe(askedAt), minute))

const near = ({ startsAt }: MeetingCriteria) => {
  const start = DateTime.fromDateUnsafe(startsAt)
  return {
    min_start_time: DateTime.formatIso(DateTime.subtractDuration(start, minute)),
    max_start_time: DateTime.formatIso(DateTime.addDuration(start, minute))
  }
}

/**
 * The scheduling provider (Calendly's API v2). Reads die as `PeerUnavailable` (503) without an answer. Everything dies
 * inside a database transaction.
 */
export class SchedulingProvider extends Context.Service<
  SchedulingProvider,
  {
    /**
     * Books once, and returns the id of the meeting. The provider has no idempotency keys: after a `PeerUnavailable`
     * the outcome is unknown, and the meeting must be searched before it is booked again.
     */
    readonly book: (
      organizationId: OrganizationId,
      meeting: NewMeeting
    ) => Effect.Effect<string, BookingRefusal | ProviderNotReady | PeerUnavailable>
    /**
     * Returns the ids of an invitee's meetings of an event type that were booked for this time, each followed by those
     * that it was moved to, the current one last. Active meetings come first. Ended meetings must have been created
     * after the request.
     */
    readonly find: (
      organizationId: OrganizationId,
      criteria: MeetingCriteria
    ) => Effect.Effect<ReadonlyArray<Arr.NonEmptyReadonlyArray<string>>, ProviderNotReady>
    /** Returns the current state of a meeting, or none when the provider does not know it. */
    readonly meeting: (
      organizationId: OrganizationId,
      agentEventId: string
    ) => Effect.Effect<Option.Option<CurrentMeeting>, ProviderNotReady>
    /**
     * Cancels a meeting, or the one that it was moved to. Idempotent. Dies as `PeerUnavailable` when the outcome is
     * unknown.
     */
    readonly cancel: (
      organizationId: OrganizationId,
      agentEventId: string,
      reason: string | undefined
    ) => Effect.Effect<void, ProviderRefused | ProviderNotReady>
    /** Returns the open slots of an event type, earliest first, in a future range of at most 31 days. */
    readonly slots: (
      organizationId: OrganizationId,
      eventTypeId: string,
      from: Date,
      until: Date
    ) => Effect.Effect<ReadonlyArray<OpenSlot>, EventTypeUnknown | ProviderNotReady>
    readonly eventType: (
      organizationId: OrganizationId,
      eventTypeId: string
    ) => Effect.Effect<
      { readonly title: string; readonly minutes: number },
      EventTypeShared | EventTypeUnknown | ProviderNotReady
    >
  }
>()("@care/scheduling/provider/SchedulingProvider") {
  static readonly layer = Layer.effect(
    SchedulingProvider,
    Effect.gen(function* () {
      const { change, read, uriOf } = yield* ProviderApi
      const modes = yield* makeModes
      const readOwn = (organizationId: OrganizationId) =>
        Effect.map(
          read(organizationId, "/users/me", {}, resourceOf(User)),
          ({ resource }) => resource.current_organization
        )

      // Lists need the organization of the token, which never changes. Each account has one.
      const known: ByMode<{ organization?: string }> = { live: {}, test: {} }
      const ownOrganization = Effect.fnUntraced(function* (organizationId: OrganizationId) {
        const ofAccount = yield* modes.choose(known, organizationId)
        ofAccount.organization ??= yield* readOwn(organizationId)
        return ofAccount.organization
      })

      // For calls that the provider has no reason to refuse.
      const dieIfRefused = <A>(call: Effect.Effect<A, ProviderRefusal>) =>
        Effect.catchTag(call, "ProviderErrorResponse", Effect.die)

      const ofEventType = <A>(call: Effect.Effect<A, ProviderRefusal>) =>
        Effect.catchTag(call, "ProviderErrorResponse", (response) =>
          bookingRefusal(response)._tag === "EventTypeUnknown" ? new EventTypeUnknown() : Effect.die(response)
        )

      const inviteeOf = Effect.fnUntraced(function* (organizationId: OrganizationId, agentEventId: string) {
        const path = `/scheduled_events/${encodeURIComponent(agentEventId)}/invitees`
        const { collection } = yield* dieIfRefused(read(organizationId, path, {}, collectionOf(Invitee)))
        return collection[0]
      })

      const event = (organizationId: OrganizationId, agentEventId: string) =>
        read(
          organizationId,
          `/scheduled_events/${encodeURIComponent(agentEventId)}`,
          {},
          resourceOf(ScheduledEvent)
        ).pipe(
          Effect.map(({ resource }) => Option.some(resource)),
          Effect.catchTag("ProviderErrorResponse", (response) =>
            response.status === 404 ? Effect.succeedNone : Effect.die(response)
          )
        )

      // Returns the meeting and those that it was moved to, because the event of a move may be late.
      const moves = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        agentEventId: string
      ): Effect.fn.Return<ReadonlyArray<ScheduledEvent>, ProviderNotReady> {
        const found = yield* event(organizationId, agentEventId)
        if (Option.isNone(found)) return []
        const movedTo = isActive(found.value)
          ? undefined
          : (yield* inviteeOf(organizationId, agentEventId))?.new_invitee
        if (typeof movedTo !== "string") return [found.value]
        const later = yield* moves(organizationId, movedTo)
        // The current meeting is unknown, and was not cancelled.
        return later.length === 0 ? [] : [found.value, ...later]
      })

      const find = Effect.fn("SchedulingProvider.find")(function* (
        organizationId: OrganizationId,
        criteria: MeetingCriteria
      ) {
        const query = {
          organization: yield* dieIfRefused(ownOrganization(organizationId)),
          invitee_email: criteria.email,
          ...near(criteria),
          count: "100"
        }
        const { collection } = yield* dieIfRefused(
          read(organizationId, "/scheduled_events", query, collectionOf(ScheduledEvent))
        )
        const matching = collection.filter(
          (event) =>
            event.event_type === criteria.eventTypeId && +event.start_time === +criteria.startsAt && !isShared(event)
        )
        const active = matching.filter(isActive)
        const ended = matching.filter((event) => !isActive(event) && isSince(event, criteria))
        // A meeting that was moved to this time is not the result of a booking.
        const booked = yield* Effect.filter([...active, ...ended], ({ uri }) =>
          Effect.map(inviteeOf(organizationId, uri), (invitee) => typeof invitee?.old_invitee !== "string")
        )
        const chains = yield* Effect.forEach(booked, ({ uri }) => moves(organizationId, uri))
        return chains.map((chain) => chain.map(({ uri }) => uri)).filter(Arr.isArrayNonEmpty)
      })

      const meeting = Effect.fn("SchedulingProvider.meeting")(function* (
        organizationId: OrganizationId,
        agentEventId: string
      ) {
        const found = yield* event(organizationId, agentEventId)
        if (Option.isNone(found)) return Option.none()
        const cancellation = isActive(found.value) ? null : cancellationOf(found.value.cancellation)
        return Option.some({ ...meetingOf(found.value, yield* inviteeOf(organizationId, agentEventId)), cancellation })
      })

      // Returns the id of the active meeting that a meeting is or was moved to.
      const activeIdOf = (organizationId: OrganizationId, agentEventId: string) =>
        Effect.map(moves(organizationId, agentEventId), (chain) =>
          Option.map(Option.filter(Arr.last(chain), isActive), ({ uri }) => uri)
        )

      const cancel = Effect.fn("SchedulingProvider.cancel")(function* (
        organizationId: OrganizationId,
        agentEventId: string,
        reason: string | undefined
      ): Effect.fn.Return<void, ProviderRefused | ProviderNotReady> {
        // Cancelling it would cancel the places of others.
        if (Option.exists(yield* event(organizationId, agentEventId), isShared))
          return yield* new ProviderRefused({ field: null })
        const path = `/scheduled_events/${encodeURIComponent(agentEventId)}/cancellation`
        yield* change(organizationId, path, reason === undefined ? {} : { reason }, Schema.Unknown).pipe(
          Effect.catchTags({
            // It may already be cancelled, by an earlier attempt of this request.
            ProviderErrorResponse: Effect.fnUntraced(function* () {
              const activeId = Option.getOrUndefined(yield* activeIdOf(organizationId, agentEventId))
              if (activeId === agentEventId) return yield* new ProviderRefused({ field: null })
              if (activeId !== undefined) yield* cancel(organizationId, activeId, reason)
            }),
            PeerUnavailable: () =>
              Effect.flatMap(
                Effect.catch(activeIdOf(organizationId, agentEventId), () => outcomeUnknown),
                (activeId) => (Option.isSome(activeId) ? outcomeUnknown : Effect.void)
              )
          })
        )
      })

      return SchedulingProvider.of({
        book: Effect.fn("SchedulingProvider.book")(function* (organizationId, meeting) {
          const { email, eventTypeId, firstName, lastName, location, startsAt, timezone, tracking } = meeting
          const body = {
            event_type: yield* uriOf(organizationId, "event_types", eventTypeId),
            start_time: startsAt.toISOString(),
            invitee: {
              email,
              first_name: firstName,
              last_name: lastName,
              name: `${firstName} ${lastName}`.trim(),
              timezone
            },
            location: { kind: location },
            ...(tracking !== undefined && { tracking })
          }
          const { resource } = yield* change(organizationId, "/invitees", body, resourceOf(Invitee)).pipe(
            Effect.catchTag("ProviderErrorResponse", (response) =>
              response.status === 403 ? Effect.die(new BookingDenied()) : Effect.fail(bookingRefusal(response))
            )
          )
          return resource.event
        }),

        find,

        meeting,

        cancel,

        slots: Effect.fn("SchedulingProvider.slots")(function* (organizationId, eventTypeId, from, until) {
          const query = {
            event_type: yield* uriOf(organizationId, "event_types", eventTypeId),
            start_time: from.toISOString(),
            end_time: until.toISOString()
          }
          const times = read(organizationId, "/event_type_available_times", query, collectionOf(AvailableTime))
          const { collection } = yield* ofEventType(times)
          return collection
            .filter(({ status }) => status === "available")
            .map((time) => ({ startTime: time.start_time, inviteesRemaining: time.invitees_remaining ?? 1 }))
        }),

        eventType: Effect.fn("SchedulingProvider.eventType")(function* (organizationId, eventTypeId) {
          // As a part of a path they would lead to another endpoint.
          if ([".", ".."].includes(eventTypeId)) return yield* new EventTypeUnknown()
          const path = `/event_types/${encodeURIComponent(eventTypeId)}`
          const { resource } = yield* ofEventType(read(organizationId, path, {}, resourceOf(EventType)))
          if (resource.active === false) return yield* new EventTypeUnknown()
          if (resource.kind === "group") return yield* new EventTypeShared()
          return { title: resource.name ?? "Appointment", minutes: resource.duration }
        })
      })
    })
  ).pipe(Layer.provide(ProviderApi.layer))
}
