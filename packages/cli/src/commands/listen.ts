import { Deferred, Effect, Option, Predicate } from "effect"
import { Command, Flag } from "effect/cli"
import { Webhook } from "standardwebhooks"
import { CommandFailed } from "../CommandFailed.ts"
import { optionalList, optionalText } from "../inputs.ts"
import { eventFrom, eventLine } from "../listening/eventLine.ts"
import { checkForwardTo, forwardEvent } from "../listening/forwardEvent.ts"
import {
  isListener,
  type ListenerReply,
  listens,
  type ReceivedDelivery,
  startListener
} from "../listening/startListener.ts"
import { printEvent, printNotice } from "../output.ts"
import { keyFlag, makePartnerClient, type PartnerClient } from "../PartnerClient.ts"

const refused: ListenerReply = { status: 401, body: "The signature does not fit" }
const accepted: ListenerReply = { status: 204, body: "" }
// Delays only the events of this case.
const unavailable: ListenerReply = { status: 503, body: "" }

const isSigned = (secret: string, { body, headers }: ReceivedDelivery): boolean => {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}

const removeEndpoint = (call: PartnerClient["call"], endpointId: string) =>
  call("webhookEndpoints.remove", { params: { endpointId } })

// Deletes endpoints of killed runs, whose listeners do not answer.
const removeLeftoverEndpoints = Effect.fnUntraced(function* ({ call }: PartnerClient) {
  const { data } = yield* call("webhookEndpoints.list", { query: { limit: "100" } })
  for (const endpoint of Array.isArray(data) ? data : []) {
    if (!Predicate.hasProperty(endpoint, "url") || !Predicate.hasProperty(endpoint, "id")) continue
    const { id, url } = endpoint
    if (isListener(url) && !(yield* listens(url))) yield* removeEndpoint(call, String(id))
  }
})

// In production nothing is sent to a listener.
const explainRefusal = ({ message }: CommandFailed) =>
  new CommandFailed({
    message: message.startsWith("url, ")
      ? `The suite does not send to this machine (${message}): run care listen on the machine of a suite in development.`
      : message
  })

const secretIn = (data: unknown): readonly [id: string, secret: string] | undefined =>
  Predicate.hasProperty(data, "id") && Predicate.hasProperty(data, "secret")
    ? [String(data.id), String(data.secret)]
    : undefined

/** Receives events in the terminal, at a temporary endpoint on this machine, until it is interrupted. */
export const listen = Command.make(
  "listen",
  {
    key: keyFlag,
    forwardTo: optionalText("forward-to", "URL that every event is forwarded to, and whose response answers it"),
    eventTypes: optionalList("events", "Only events of these types, separated by commas"),
    includeTestCases: Flag.Boolean("include-test-cases").pipe(
      Flag.withDescription("Include events of test cases"),
      Flag.withDefault(false)
    ),
    verbose: Flag.Boolean("verbose").pipe(
      Flag.withDescription("Print the bodies of the events"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ eventTypes, forwardTo, includeTestCases, key, verbose }) {
    if (forwardTo !== undefined) yield* checkForwardTo(forwardTo)
    const client = yield* makePartnerClient(key)
    yield* removeLeftoverEndpoints(client)
    // An event may arrive before the answer with the secret.
    const knownSecret = yield* Deferred.make<string>()

    const reply = Effect.fnUntraced(function* (received: ReceivedDelivery) {
      if (!isSigned(yield* Deferred.await(knownSecret), received)) {
        yield* printNotice("Refused: the signature is not valid")
        return refused
      }
      const event = eventFrom(received.headers["webhook-id"] ?? "", received.body)
      if (Option.isSome(event)) yield* printEvent(event.value, eventLine(event.value), verbose)
      if (forwardTo === undefined) return accepted
      const forwarded = yield* forwardEvent(forwardTo, received)
      const outcome = forwarded === undefined ? "did not answer" : `answered ${forwarded.status}`
      const disables =
        forwarded?.status === 410 ? ", which disables the endpoint: no more events arrive, start again" : ""
      yield* printNotice(`  ${forwardTo} ${outcome}${disables}`)
      return forwarded ?? unavailable
    })

    const url = yield* startListener(reply)
    const create = client
      .call("webhookEndpoints.create", { body: { url, includeTestCases, ...(eventTypes && { eventTypes }) } })
      .pipe(Effect.mapError(explainRefusal))
    const [, secret] = yield* Effect.acquireRelease(
      Effect.flatMap(create, ({ data }) => {
        const newSecret = secretIn(data)
        return newSecret === undefined
          ? new CommandFailed({ message: "The gateway's response has no endpoint." })
          : Effect.succeed(newSecret)
      }),
      // If the gateway is gone, the next run deletes the endpoint.
      ([id]) => Effect.ignore(removeEndpoint(client.call, id))
    )
    yield* Deferred.succeed(knownSecret, secret)
    yield* printNotice(
      forwardTo === undefined
        ? `Listening for events of ${client.owner}: Ctrl-C stops it`
        : `Listening for events of ${client.owner}, forwarded to ${forwardTo} and signed with ${secret}: Ctrl-C stops it`
    )
    return yield* Effect.never
  }, Effect.scoped)
).pipe(
  Command.withDescription("Receive webhooks in the terminal, at a temporary endpoint"),
  Command.withExamples([
    { command: "care listen --forward-to http://localhost:3000/care-events", description: "Try your own receiver" },
    { command: "care listen --events case.created,case.closed --json", description: "Print one JSON document per line" }
  ])
)
