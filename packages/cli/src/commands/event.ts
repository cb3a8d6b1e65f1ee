import { Effect } from "effect"
import { Command } from "effect/cli"
import { decodePage } from "../AdminClient.ts"
import { idArgument, optionalId } from "../inputs.ts"
import { printDone, printPage } from "../output.ts"
import { keyFlag, makePartnerClient } from "../PartnerClient.ts"

const list = Command.make(
  "list",
  {
    key: keyFlag,
    caseId: optionalId("case", "Only events of the case with this id"),
    after: optionalId("after", "Only events after the one with this id")
  },
  Effect.fnUntraced(function* ({ key, ...query }) {
    const { call } = yield* makePartnerClient(key)
    const page = yield* decodePage(yield* call("events.list", { query: { ...query, limit: "100" } }))
    yield* printPage(page, "id type timestamp isTest data", "--after")
  })
).pipe(
  Command.withDescription("List the events of an organization, oldest first"),
  Command.withExamples([{ command: "care event list", description: "List the events of the demo organization" }])
)

const resend = Command.make(
  "resend",
  {
    key: keyFlag,
    id: idArgument("id", "Id of the event"),
    endpointId: optionalId(
      "endpoint",
      "Only to the endpoint with this id, even if the event does not match its settings"
    )
  },
  Effect.fnUntraced(function* ({ endpointId, id, key }) {
    const { call } = yield* makePartnerClient(key)
    const { data } = yield* call("webhookDeliveries.resend", {
      params: { eventId: id },
      body: endpointId === undefined ? {} : { endpointId }
    })
    const deliveries = Array.isArray(data) ? data : []
    const count = deliveries.length
    const message = `Sent again to ${count} ${count === 1 ? "endpoint" : "endpoints"}.`
    yield* printDone(
      { id, deliveries },
      count === 0 ? "The event matches no enabled endpoint: choose one with --endpoint." : message
    )
  })
).pipe(
  Command.withDescription("Send an event again, to all matching endpoints or to one"),
  Command.withExamples([
    { command: "care event resend 3b241101-e2bb-4255-8caf-4136c566a962", description: "Send an event again" }
  ])
)

export const event = Command.make("event").pipe(
  Command.withDescription("Webhook events of an organization"),
  Command.withSubcommands([list, resend])
)
