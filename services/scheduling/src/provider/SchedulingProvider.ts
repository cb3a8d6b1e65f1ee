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
import type { PeerUnavailable } from "@care/service-kit"
import { Array as Arr, Context, Data, DateTime, Effect, Layer, Option, Schema } from "effect"
import { type BookingRefusal, bookingRefusal } from "./bookingRefusal.ts"
import { cancellationOf, type MeetingCancellation } from "./cancellationOf.ts"
import { type Meeting, meetingOf } from "./meetingOf.ts"
import { outcomeUnknown } from "./outcomeUnknown.ts"
import { ProviderApi, type Refused } from "./ProviderApi.ts"
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

/** What is booked: a slot of an event type, for somebody. */
export interface NewMeeting {
  readonly eventTypeId: string
  readonly startsAt: Date
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly timezone: string
  readonly location: MeetingLocation
  /** All members, or none. */
  readonly tracking?: Readonly<Record<string, string | null>>
}

/** A meeting as the provider has it: `cancellation` is null while it takes place. */
export interface MeetingNow extends Meeting {
  readonly cancellation: MeetingCancellation | null
}

/** By which a meeting is found whose booking was not answered. */
interface Sought extends Pick<NewMeeting, "eventTypeId" | "startsAt" | "email"> {
  /** When it was asked for first. */
  readonly askedAt: Date
}

/** The account may not book at all: its plan, or the scopes of the token. The operator's to mend. */
class BookingDenied extends Data.TaggedError("BookingDenied") {
  override get message() {
    return "The scheduling provider lets SCHEDULING_API_TOKEN book nothing (403): the plan of its account does not include it, or the token has no scope for it"
  }
}

type Unable = ProviderBusy | ProviderNotConfigured

const minute = "1 minute"

const isActive = ({ status }: ScheduledEvent): boolean => status === "active"

// The provider's clock may be behind ours.
const isSince = (event: ScheduledEvent, { askedAt }: Sought): boolean =>
  event.created_at >= DateTime.toDateUtc(DateTime.subtractDuration(DateTime.fromDateUnsafe(askedAt), minute))

const near = ({ startsAt }: Sought) => {
  const start = DateTime.fromDateUnsafe(startsAt)
  return {
    min_start_time: DateTime.formatIso(DateTime.subtractDuration(start, minute)),
    max_start_time: DateTime.formatIso(DateTime.addDuration(start, minute))
  }
}

/**
 * The scheduling provider (Calendly's API v2). Reading dies as `PeerUnavailable` while it is away (answered as 503); everything
 * dies inside a database transaction.
 */
export class SchedulingProvider extends Context.Service<
  SchedulingProvider,
  {
    /**
     * Books, once: the id of the meeting. The provider knows no idempotency keys, so that after a `PeerUnavailable`, when nobody
     * knows whether it was booked, the meeting has to be looked for before it is booked again.
     */
    readonly book: (
      organizationId: OrganizationId,
      meeting: NewMeeting
    ) => Effect.Effect<string, BookingRefusal | Unable | PeerUnavailable>
    /**
     * The ids of the meetings of somebody that were booked, not moved, to begin then, of an event type, each with those that it
     * was moved to since, the one that it is now last: those that take place then first. Of those that do not any more, only
     * what was made since it was asked for.
     */
    readonly find: (
      organizationId: OrganizationId,
      sought: Sought
    ) => Effect.Effect<ReadonlyArray<Arr.NonEmptyReadonlyArray<string>>, Unable>
    /** A meeting as it is now; none of one that the provider does not know. */
    readonly meeting: (
      organizationId: OrganizationId,
      agentEventId: string
    ) => Effect.Effect<Option.Option<MeetingNow>, Unable>
    /**
     * Cancels a meeting, or the one that it was moved to, once however often it is asked for. Dies as `PeerUnavailable` when
     * nobody knows whether it was.
     */
    readonly cancel: (
      organizationId: OrganizationId,
      agentEventId: string,
      reason: string | undefined
    ) => Effect.Effect<void, ProviderRefused | Unable>
    /** The slots of an event type that are open, earliest first: at most 31 days of them, from a moment that is to come. */
    readonly slots: (
      organizationId: OrganizationId,
      eventTypeId: string,
      from: Date,
      until: Date
    ) => Effect.Effect<ReadonlyArray<OpenSlot>, EventTypeUnknown | Unable>
    readonly eventType: (
      organizationId: OrganizationId,
      eventTypeId: string
    ) => Effect.Effect<
      { readonly title: string; readonly minutes: number },
      EventTypeShared | EventTypeUnknown | Unable
    >
  }
>()("@care/scheduling/provider/SchedulingProvider") {
  static readonly layer = Layer.effect(
    SchedulingProvider,
    Effect.gen(function* () {
      const { change, read, uriOf } = yield* ProviderApi
      let organization: string | undefined

      // What lists are asked for with; the token's does not change.
      const ownOrganization = Effect.fnUntraced(function* (organizationId: OrganizationId) {
        organization ??= (yield* read(organizationId, "/users/me", {}, resourceOf(User))).resource.current_organization
        return organization
      })

      // Nothing that we ask for in these cases can be refused but by a provider that is not what we think it is.
      const unrefused = <A>(asked: Effect.Effect<A, Refused>) => Effect.catchTag(asked, "ProviderAnswer", Effect.die)

      const ofEventType = <A>(asked: Effect.Effect<A, Refused>) =>
        Effect.catchTag(asked, "ProviderAnswer", (answer) =>
          bookingRefusal(answer)._tag === "EventTypeUnknown" ? new EventTypeUnknown() : Effect.die(answer)
        )

      const inviteeOf = Effect.fnUntraced(function* (organizationId: OrganizationId, agentEventId: string) {
        const path = `/scheduled_events/${encodeURIComponent(agentEventId)}/invitees`
        const { collection } = yield* unrefused(read(organizationId, path, {}, collectionOf(Invitee)))
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
          Effect.catchTag("ProviderAnswer", (answer) =>
            answer.status === 404 ? Effect.succeedNone : Effect.die(answer)
          )
        )

      // The meeting itself, and what it was moved to since: whoever moved it may not have told us yet.
      const moves = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        agentEventId: string
      ): Effect.fn.Return<ReadonlyArray<ScheduledEvent>, Unable> {
        const found = yield* event(organizationId, agentEventId)
        if (Option.isNone(found)) return []
        const movedTo = isActive(found.value)
          ? undefined
          : (yield* inviteeOf(organizationId, agentEventId))?.new_invitee
        if (typeof movedTo !== "string") return [found.value]
        const since = yield* moves(organizationId, movedTo)
        // Where it is now nobody knows: it was not called off.
        return since.length === 0 ? [] : [found.value, ...since]
      })

      const find = Effect.fn("SchedulingProvider.find")(function* (organizationId: OrganizationId, sought: Sought) {
        const query = {
          organization: yield* unrefused(ownOrganization(organizationId)),
          invitee_email: sought.email,
          ...near(sought),
          count: "100"
        }
        const { collection } = yield* unrefused(
          read(organizationId, "/scheduled_events", query, collectionOf(ScheduledEvent))
        )
        const then = collection.filter(
          (event) =>
            event.event_type === sought.eventTypeId && +event.start_time === +sought.startsAt && !isShared(event)
        )
        const ended = then.filter((event) => !isActive(event) && isSince(event, sought))
        const booked = yield* Effect.filter([...then.filter(isActive), ...ended], ({ uri }) =>
          Effect.map(inviteeOf(organizationId, uri), (invitee) => typeof invitee?.old_invitee !== "string")
        )
        const followed = yield* Effect.forEach(booked, ({ uri }) => moves(organizationId, uri))
        return followed.map((all) => all.map(({ uri }) => uri)).filter(Arr.isArrayNonEmpty)
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

      const held = (organizationId: OrganizationId, agentEventId: string) =>
        Effect.map(moves(organizationId, agentEventId), (all) =>
          Option.map(Option.filter(Arr.last(all), isActive), ({ uri }) => uri)
        )

      const cancel = Effect.fn("SchedulingProvider.cancel")(function* (
        organizationId: OrganizationId,
        agentEventId: string,
        reason: string | undefined
      ): Effect.fn.Return<void, ProviderRefused | Unable> {
        // Others would lose their places.
        if (Option.exists(yield* event(organizationId, agentEventId), isShared))
          return yield* new ProviderRefused({ field: null })
        const path = `/scheduled_events/${encodeURIComponent(agentEventId)}/cancellation`
        yield* change(organizationId, path, reason === undefined ? {} : { reason }, Schema.Unknown).pipe(
          Effect.catchTags({
            // It may be cancelled already, by this very request when it was made before.
            ProviderAnswer: Effect.fnUntraced(function* () {
              const left = Option.getOrUndefined(yield* held(organizationId, agentEventId))
              if (left === agentEventId) return yield* new ProviderRefused({ field: null })
              if (left !== undefined) yield* cancel(organizationId, left, reason)
            }),
            PeerUnavailable: () =>
              Effect.flatMap(
                Effect.catch(held(organizationId, agentEventId), () => outcomeUnknown),
                (left) => (Option.isSome(left) ? outcomeUnknown : Effect.void)
              )
          })
        )
      })

      return SchedulingProvider.of({
        book: Effect.fn("SchedulingProvider.book")(function* (organizationId, asked) {
          const { email, eventTypeId, firstName, lastName, location, startsAt, timezone, tracking } = asked
          const body = {
            event_type: uriOf("event_types", eventTypeId),
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
            Effect.catchTag("ProviderAnswer", (answer) =>
              answer.status === 403 ? Effect.die(new BookingDenied()) : Effect.fail(bookingRefusal(answer))
            )
          )
          return resource.event
        }),

        find,

        meeting,

        cancel,

        slots: Effect.fn("SchedulingProvider.slots")(function* (organizationId, eventTypeId, from, until) {
          const query = {
            event_type: uriOf("event_types", eventTypeId),
            start_time: from.toISOString(),
            end_time: until.toISOString()
          }
          const asked = read(organizationId, "/event_type_available_times", query, collectionOf(AvailableTime))
          const { collection } = yield* ofEventType(asked)
          return collection
            .filter(({ status }) => status === "available")
            .map((time) => ({ startTime: time.start_time, inviteesRemaining: time.invitees_remaining ?? 1 }))
        }),

        eventType: Effect.fn("SchedulingProvider.eventType")(function* (organizationId, eventTypeId) {
          // As part of a path they lead elsewhere.
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
