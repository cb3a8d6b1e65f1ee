import { Effect, Option, Predicate } from "effect"
import { Command, Flag } from "effect/cli"
import { Webhook } from "standardwebhooks"
import { CommandFailed } from "../gateway.ts"
import { optionalText } from "../inputs.ts"
import { eventFrom, eventLine } from "../listening/eventLine.ts"
import { forwardEvent } from "../listening/forwardEvent.ts"
import { isListener, listens, type Received, type Reply, receiveEvents } from "../listening/receiveEvents.ts"
import { printEvent, printProgress } from "../output.ts"
import { keyFlag, makePartnerClient, type PartnerClient } from "../PartnerClient.ts"

const path = "/webhook-endpoints"

const refused: Reply = { status: 401, body: "The signature does not fit" }
const taken: Reply = { status: 204, body: "" }

const isSigned = (secret: string, { body, headers }: Received): boolean => {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}

// Endpoints that a killed run left: nobody listens there any more.
const removeLeft = Effect.fnUntraced(function* ({ call }: PartnerClient) {
  const { data } = yield* call("GET", `${path}?limit=100`)
  for (const endpoint of Array.isArray(data) ? data : []) {
    if (!Predicate.hasProperty(endpoint, "url") || !Predicate.hasProperty(endpoint, "id")) continue
    const { id, url } = endpoint
    if (isListener(url) && !(yield* listens(url))) yield* call("DELETE", `${path}/${String(id)}`)
  }
})

const secretIn = (data: unknown): readonly [id: string, secret: string] | undefined =>
  Predicate.hasProperty(data, "id") && Predicate.hasProperty(data, "secret")
    ? [String(data.id), String(data.secret)]
    : undefined

/** Receives events in the terminal, at an endpoint of its own on this machine, until it is ended. */
export const listen = Command.make(
  "listen",
  {
    key: keyFlag,
    forwardTo: optionalText("forward-to", "URL that every event is passed on to, which answers it"),
    events: optionalText("events", "Only events of these types, with commas between them"),
    includeTestCases: Flag.Boolean("include-test-cases").pipe(
      Flag.withDescription("Events of test cases, too"),
      Flag.withDefault(false)
    ),
    verbose: Flag.Boolean("verbose").pipe(Flag.withDescription("Print whole bodies"), Flag.withDefault(false))
  },
  Effect.fnUntraced(function* ({ events, forwardTo, includeTestCases, key, verbose }) {
    const client = yield* makePartnerClient(key)
    yield* removeLeft(client)
    let secret = ""

    const reply = Effect.fnUntraced(function* (received: Received) {
      if (!isSigned(secret, received)) {
        yield* printProgress("Refused: the signature does not fit")
        return refused
      }
      const event = eventFrom(received.headers["webhook-id"] ?? "", received.body)
      if (Option.isSome(event)) yield* printEvent(event.value, eventLine(event.value), verbose)
      if (forwardTo === undefined) return taken
      const forwarded = yield* forwardEvent(forwardTo, received)
      yield* printProgress(`  ${forwardTo} answered ${forwarded.status}`)
      return forwarded
    })

    const url = yield* receiveEvents(reply)
    const create = client.call("POST", path, {
      url,
      includeTestCases,
      ...(events !== undefined && { eventTypes: events.split(",").map((type) => type.trim()) })
    })
    yield* Effect.acquireRelease(
      Effect.flatMap(create, ({ data }) => {
        const made = secretIn(data)
        if (made === undefined) return new CommandFailed({ message: "The gateway answered no endpoint." })
        secret = made[1]
        return Effect.succeed(made[0])
      }),
      // When the gateway is gone, the next run deletes it.
      (id) => Effect.ignore(client.call("DELETE", `${path}/${id}`))
    )
    yield* printProgress(
      `Listening for events${forwardTo === undefined ? "" : `, passed on to ${forwardTo}`}: Ctrl-C ends it`
    )
    return yield* Effect.never
  }, Effect.scoped)
).pipe(
  Command.withDescription("Receive webhooks in the terminal, at an endpoint of its own that is deleted afterwards"),
  Command.withExamples([
    { command: "care listen --forward-to http://localhost:3000/care-events", description: "Try your own receiver" },
    { command: "care listen --events case.created,case.closed --json", description: "A JSON document a line" }
  ])
)
