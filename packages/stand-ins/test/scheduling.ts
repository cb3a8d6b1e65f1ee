import { it } from "@effect/vitest"
import { Effect, Schema, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { runScheduling, type SchedulingOptions } from "../src/scheduling/runScheduling.ts"
import { schedulingControl } from "../src/scheduling/schedulingControl.ts"

export const token = "the-token-of-the-tests"

/** A Monday at 8 in the morning in New York, an hour before its hosts begin: 12:00 UTC. */
export const monday = Date.UTC(2026, 5, 8, 12)

/** Slots of that Monday. */
export const at9 = "2026-06-08T13:00:00Z"
export const at930 = "2026-06-08T13:30:00Z"
export const at10 = "2026-06-08T14:00:00Z"

const Thing = Schema.Record(Schema.String, Schema.Unknown)
const readResource = Schema.decodeUnknownSync(Schema.Struct({ resource: Thing }))
const readList = Schema.decodeUnknownSync(
  Schema.Struct({
    collection: Schema.Array(Thing),
    pagination: Schema.optionalKey(
      Schema.Struct({
        count: Schema.Number,
        next_page: Schema.NullOr(Schema.String),
        next_page_token: Schema.NullOr(Schema.String)
      })
    )
  })
)

/** An answer of the API. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** Returns the resource of an answer. */
export const resourceIn = ({ body }: Answered): typeof Thing.Type => readResource(body).resource

/** Returns the collection of an answer. */
export const collectionIn = ({ body }: Answered) => readList(body)

/** Returns the id at the end of a URI. */
export const idOf = (uri: unknown): string => String(uri).split("/").at(-1) ?? ""

/** Returns the body of a booking, with changes. */
export const booking = (url: string, changes: Readonly<Record<string, unknown>> = {}) => ({
  event_type: `${url}/event_types/et_demo_30min`,
  start_time: at9,
  invitee: { email: "maria@example.com", name: "Maria Lopez", timezone: "America/New_York" },
  location: { kind: "zoom_conference" },
  ...changes
})

/**
 * Runs a stand-in for the scheduling provider until the scope closes, and returns its control and a caller of its API.
 */
export const startScheduling = (options: Partial<SchedulingOptions> = {}) =>
  Effect.map(runScheduling({ port: 0, token, ...options }), ({ url }) => {
    const request = (method: string, path: string, body?: unknown): Effect.Effect<Answered> =>
      Effect.promise(async () => {
        const answer = await fetch(new URL(path, url), {
          method,
          headers: { authorization: `Bearer ${token}` },
          ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) })
        })
        const text = await answer.text()
        return { status: answer.status, headers: answer.headers, body: text === "" ? undefined : JSON.parse(text) }
      })
    return {
      url,
      ask: request,
      control: schedulingControl({ url, token }),
      get: (path: string) => request("GET", path),
      post: (path: string, body: unknown) => request("POST", path, body),
      book: (changes?: Readonly<Record<string, unknown>>) => request("POST", "/invitees", booking(url, changes)),
      openTimes: (from: string, until: string, type = "et_demo_30min") =>
        request(
          "GET",
          `/event_type_available_times?event_type=${url}/event_types/${type}&start_time=${from}&end_time=${until}`
        )
    }
  })

/** Returns a function that declares tests, each with what `started` starts. */
export const testWith =
  <A>(started: Effect.Effect<A, unknown, Scope.Scope>) =>
  (name: string, body: (fixture: A) => Effect.gen.Return<void, unknown, Scope.Scope>) =>
    it.effect(name, () => Effect.scoped(Effect.flatMap(started, Effect.fnUntraced(body))))

/** Declares a test with a stand-in of its own, on that Monday. */
export const schedulingTest = testWith(Effect.andThen(TestClock.setTime(monday), startScheduling()))
