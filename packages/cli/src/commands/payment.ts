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
  Command.withExamples([{ command: "care payment list --status AUTHORIZED", description: "List authorized payments" }])
)

const show = Command.make("show", { id }, ({ id }) => printAnswer("GET", `/payments/${id}`)).pipe(
  Command.withDescription("Show a payment with its state at the payment gateway")
)

const events = Command.make("events", { id, cursor }, ({ cursor, id }) =>
  printList("/payment-events", { paymentId: id, cursor }, "eventId type happenedAt createdAt handledAt result status")
).pipe(Command.withDescription("List the payment gateway's events of a payment, and their effects"))

const amount = Flag.Finite("amount").pipe(
  Flag.withDescription("Amount in the currency of the payment. By default all of it"),
  Flag.optional,
  Flag.map(Option.getOrUndefined)
)

const capture = Command.make("capture", { id, amount }, ({ amount, id }) =>
  printAnswer("POST", `/payments/${id}/capture`, { amount })
).pipe(
  Command.withDescription("Capture an authorized payment, or a part of it; the rest is released"),
  Command.withExamples([
    {
      command: "care payment capture 3b241101-e2bb-4255-8caf-4136c566a962 --amount 200",
      description: "Capture 200, and release the rest"
    }
  ])
)

const release = Command.make("release", { id }, ({ id }) => printAnswer("POST", `/payments/${id}/release`)).pipe(
  Command.withDescription("Release an authorized payment")
)

const refunded = Flag.Finite("refunded").pipe(
  Flag.withDescription("The total of earlier refunds. If it is different, nothing is refunded"),
  Flag.optional,
  Flag.map(Option.getOrUndefined)
)

const refund = Command.make("refund", { id, amount, refunded }, ({ amount, id, refunded }) =>
  printAnswer("POST", `/payments/${id}/refund`, { amount, refunded })
).pipe(
  Command.withDescription("Refund a captured payment, or a part of it"),
  Command.withExamples([
    {
      command: "care payment refund 3b241101-e2bb-4255-8caf-4136c566a962 --amount 20 --refunded 0",
      description: "Refund 20 once, even if it is repeated"
    }
  ])
)

export const payment = Command.make("payment").pipe(
  Command.withDescription("Payments of cases: show, capture, release and refund them"),
  Command.withSubcommands([list, show, events, capture, release, refund])
)
