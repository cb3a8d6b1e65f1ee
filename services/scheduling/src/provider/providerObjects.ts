import { isStorableMoment, lengths } from "@care/domain/http"
import { Effect, Schema, SchemaGetter, SchemaIssue, SchemaTransformation } from "effect"

// The parts of the provider's objects that are used. Its URIs become ids: the last part of the path.

const idIn = (kind: string) =>
  Schema.String.pipe(
    Schema.decodeTo(Schema.String, {
      decode: SchemaGetter.transformEffect((uri) => {
        const parts = uri.split("/")
        const id = parts[parts.indexOf(kind) + 1]
        return parts.includes(kind) && id !== undefined && id !== "" && id.length <= lengths.reference
          ? Effect.succeed(id)
          : Effect.fail(new SchemaIssue.InvalidValue({ message: `must be a URI with ${kind}/<id>` }))
      }),
      encode: SchemaGetter.forbidden(() => "URIs of the provider are only read")
    })
  )

const text = Schema.optional(Schema.NullOr(Schema.String))

/** The email of an invitee, in lower case like ours. */
export const inviteeEmail = Schema.String.pipe(Schema.decode(SchemaTransformation.toLowerCase()))

const time = Schema.String.pipe(
  Schema.decodeTo(Schema.Date, {
    decode: SchemaGetter.transformEffect((text) =>
      Number.isNaN(Date.parse(text))
        ? Effect.fail(new SchemaIssue.InvalidValue({ message: "must be a time in ISO 8601" }))
        : Effect.succeed(new Date(text))
    ),
    encode: SchemaGetter.transform((moment) => moment.toISOString())
  })
).check(isStorableMoment)

/** Who cancelled a meeting, and why. */
const Cancellation = Schema.Struct({ canceled_by: text, reason: text })
export type Cancellation = typeof Cancellation.Type

/** The cancellation of an object; null when it was not cancelled. */
export const cancellation = Schema.optional(Schema.NullOr(Cancellation))

/** A meeting: `uri` and `event_type` are ids. The link may be added later. */
export const ScheduledEvent = Schema.Struct({
  uri: idIn("scheduled_events"),
  name: text,
  status: Schema.String,
  created_at: time,
  start_time: time,
  end_time: time,
  event_type: idIn("event_types"),
  location: Schema.optional(Schema.NullOr(Schema.Struct({ type: text, join_url: text }))),
  invitees_counter: Schema.optional(Schema.NullOr(Schema.Struct({ limit: Schema.Finite }))),
  event_memberships: Schema.optional(Schema.Array(Schema.Struct({ user_name: text, user_email: text }))),
  cancellation
})
export type ScheduledEvent = typeof ScheduledEvent.Type

/** Returns whether several invitees may share a meeting. None of ours is shared. */
export const isShared = ({ invitees_counter: counter }: Pick<ScheduledEvent, "invitees_counter">): boolean =>
  (counter?.limit ?? 1) > 1

/** The invitee of a meeting: `event` is its id, and so are those of the meetings before and after a move. */
export const Invitee = Schema.Struct({
  event: idIn("scheduled_events"),
  email: Schema.optional(Schema.NullOr(inviteeEmail)),
  timezone: text,
  cancel_url: text,
  reschedule_url: text,
  rescheduled: Schema.optional(Schema.NullOr(Schema.Boolean)),
  old_invitee: Schema.optional(Schema.NullOr(idIn("scheduled_events"))),
  new_invitee: Schema.optional(Schema.NullOr(idIn("scheduled_events")))
})
export type Invitee = typeof Invitee.Type

/** A webhook subscription: `uri` is its id. */
export const WebhookSubscription = Schema.Struct({
  uri: idIn("webhook_subscriptions"),
  callback_url: Schema.String,
  state: Schema.String
})

export const User = Schema.Struct({ current_organization: Schema.String })

export const EventType = Schema.Struct({
  name: text,
  /** `group` when several invitees share a slot. */
  kind: text,
  duration: Schema.Finite,
  active: Schema.optional(Schema.NullOr(Schema.Boolean))
})

export const AvailableTime = Schema.Struct({
  status: Schema.String,
  start_time: time,
  invitees_remaining: Schema.optional(Schema.NullOr(Schema.Int))
})

export const resourceOf = <S extends Schema.Top>(resource: S) => Schema.Struct({ resource })

export const collectionOf = <S extends Schema.Top>(resource: S) =>
  Schema.Struct({
    collection: Schema.Array(resource),
    pagination: Schema.optional(Schema.Struct({ next_page_token: text }))
  })

/** The provider's errors of a request. */
export const ErrorBody = Schema.Struct({
  title: text,
  message: text,
  details: Schema.optional(Schema.NullOr(Schema.Array(Schema.Struct({ parameter: text, code: text, message: text }))))
})
