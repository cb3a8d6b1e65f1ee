import type { BodyOf } from "@care/client"
import { CaseStatus, OrderStatus, SimulatedStep } from "@care/domain/cases"
import { PaymentStatus } from "@care/domain/payments/PaymentStatus"
import { WebhookEventType } from "@care/domain/webhooks/WebhookEvent"
import { Option, Schema } from "effect"

const Sentence = Schema.NonEmptyString

// What is there when the step is done. `events` are all that it caused, in order; none if it names none.
const expected = {
  status: Schema.optionalKey(CaseStatus),
  isClosed: Schema.optionalKey(Schema.Boolean),
  order: Schema.optionalKey(OrderStatus),
  payment: Schema.optionalKey(PaymentStatus),
  events: Schema.optionalKey(Schema.Array(WebhookEventType))
}

const step = <const Fields extends Schema.Struct.Fields>(fields: Fields) => Schema.Struct({ ...fields, ...expected })

const decodeStep = Schema.decodeUnknownOption(SimulatedStep, { onExcessProperty: "error" })

// As the file has it, and as the request takes it.
const WrittenStep = Schema.declare(
  (value: unknown): value is BodyOf<"simulations.simulate"> => Option.isSome(decodeStep(value)),
  { expected: "a simulated step with what it needs" }
)

const Nothing = Schema.Struct({})

/**
 * A step of a scenario: what the partner does (`create` a case of a new patient, always first; `placeOrder`; `escalate`; `answer` a
 * form; `close`, `reopen`), what others do (`simulate`, `appointment`), or that time passes (`advance`).
 */
export const ScenarioStep = Schema.Union([
  step({
    create: Schema.Struct({
      products: Schema.optionalKey(Schema.Literals([1, 2])),
      /** The case is abandoned until its payment succeeds; with `LATER` it is open, and its payment is held or succeeds later. */
      checkout: Schema.optionalKey(Schema.Literals(["CARD", "PAY_LATER", "LATER"]))
    })
  }),
  step({ placeOrder: Nothing }),
  step({ escalate: Nothing }),
  step({ answer: Nothing }),
  step({ close: Nothing }),
  step({ reopen: Nothing }),
  step({ simulate: WrittenStep }),
  /** The first open slot after a number of days. */
  step({ appointment: Schema.Literals(["BOOKED", "MOVED"]), inDays: Schema.Natural }),
  step({ advance: Schema.String })
])
export type ScenarioStep = typeof ScenarioStep.Type

/** A course of a case, that a person reads and writes as a file of JSON. */
export const Scenario = Schema.Struct({
  title: Sentence,
  shows: Sentence,
  steps: Schema.NonEmptyArray(ScenarioStep)
})
export type Scenario = typeof Scenario.Type

/** Reads a scenario. */
export const decodeScenario = Schema.decodeUnknownEffect(Scenario, { onExcessProperty: "error" })
