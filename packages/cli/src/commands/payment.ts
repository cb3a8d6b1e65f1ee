import { PaymentStatus } from "@care/domain/payments/PaymentStatus"
import { Option } from "effect"
import { Command, Flag } from "effect/cli"
import { cursor, idArgument, optionalChoice, optionalId } from "../inputs.ts"
import { printAnswer, printList } from "../output.ts"

const id = idArgument("id", "Id of the payment")

const list = Command.make(
  "list",
  {
    caseId: optionalId("case", "Only payments of the case with this id"),
    organizationId: optionalId("organization", "Only payments of the organization with this id"),
    status: optionalChoice("status", PaymentStatus.literals, "Only payments in this status"),
    cursor
  },
  (query) => printList("/payments", query, "paymentId caseId status amount currency isInitial operation createdAt")
).pipe(
  Command.withDescription("List the newest payments"),
  Command.withExamples([{ command: "care payment list --status AUTHORIZED", description: "List what is held" }])
)

const show = Command.make("show", { id }, ({ id }) => printAnswer("GET", `/payments/${id}`)).pipe(
  Command.withDescription("Show a payment, with what the gateway told of it")
)

const events = Command.make("events", { id, cursor }, ({ cursor, id }) =>
  printList("/payment-events", { paymentId: id, cursor }, "eventId type happenedAt createdAt handledAt result status")
).pipe(Command.withDescription("List what the gateway told of a payment, and what was done"))

const amount = Flag.Finite("amount").pipe(
  Flag.withDescription("How much of it, in the payment's currency; without it all that can be"),
  Flag.optional,
  Flag.map(Option.getOrUndefined)
)

const capture = Command.make("capture", { id, amount }, ({ amount, id }) =>
  printAnswer("POST", `/payments/${id}/capture`, { amount })
).pipe(
  Command.withDescription("Take what is held for a payment, or a part of it: the rest is released"),
  Command.withExamples([
    {
      command: "care payment capture 3b241101-e2bb-4255-8caf-4136c566a962 --amount 200",
      description: "Take 200, and release the rest"
    }
  ])
)

const release = Command.make("release", { id }, ({ id }) => printAnswer("POST", `/payments/${id}/release`)).pipe(
  Command.withDescription("Let go what is held for a payment")
)

const refunded = Flag.Finite("refunded").pipe(
  Flag.withDescription("How much was given back before: nothing is given back when it is another amount by now"),
  Flag.optional,
  Flag.map(Option.getOrUndefined)
)

const refund = Command.make("refund", { id, amount, refunded }, ({ amount, id, refunded }) =>
  printAnswer("POST", `/payments/${id}/refund`, { amount, refunded })
).pipe(
  Command.withDescription("Give back what was taken for a payment, all that is left of it or a part"),
  Command.withExamples([
    {
      command: "care payment refund 3b241101-e2bb-4255-8caf-4136c566a962 --amount 20 --refunded 0",
      description: "Give back 20 once, however often this is called"
    }
  ])
)

export const payment = Command.make("payment").pipe(
  Command.withDescription("Payments of cases, and what is done with them at the gateway"),
  Command.withSubcommands([list, show, events, capture, release, refund])
)
