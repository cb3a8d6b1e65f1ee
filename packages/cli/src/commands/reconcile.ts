import { GatewayApi } from "@care/domain/gateway"
import { type Difference, ReconciledService, type SweepState } from "@care/domain/reconciliation"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { adminGroup, type Resource } from "../AdminClient.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { failureOf } from "../gateway.ts"
import { ofCell, optionalChoice } from "../inputs.ts"
import { printPage, printStep } from "../output.ts"

const reconciliations = adminGroup(GatewayApi, "reconciliations")

// Enough for another sweep to end, unless it has much to do.
const busyWait = "3 seconds"

// An hourly sweep takes up to two minutes.
const maxBusyAttempts = 60

const keyOf = ({ id, source }: Difference): string => `${source} ${id}`

/** Sweeps a service to its end, step by step, and returns its differences without repetitions. */
const reconcileOne = Effect.fnUntraced(function* (
  service: ReconciledService,
  cell: string | undefined,
  report: (text: string) => Effect.Effect<void>
) {
  const { sweep } = yield* reconciliations
  const differences = new Map<string, Resource>()
  let [compared, busy] = [0, 0]
  while (true) {
    const { services } = yield* Effect.mapError(sweep({ payload: { service, cell } }), failureOf)
    const [step] = services
    if (step === undefined)
      return yield* new CommandFailed({ message: "The gateway's response is not a reconciliation." })
    for (const difference of step.differences) differences.set(keyOf(difference), { service, ...difference })
    compared += step.sources.reduce((sum, source) => sum + source.compared, 0)
    yield* report(`${service}: ${compared} compared, ${differences.size} differed, ${step.state}`)
    const isAny = (state: SweepState) => step.state === state || step.sources.some((source) => source.state === state)
    // A failed source ends the loop only when no other source has more.
    if (isAny("MORE")) continue
    if (!isAny("BUSY")) {
      const failed = step.sources.filter(({ state }) => state === "FAILED").map(({ name }) => `${service} ${name}`)
      return { differences: [...differences.values()], failed }
    }
    busy += 1
    if (busy > maxBusyAttempts) {
      return yield* new CommandFailed({ message: `Another sweep of ${service} is in progress: try again later.` })
    }
    yield* Effect.sleep(busyWait)
  }
})

export const reconcile = Command.make(
  "reconcile",
  {
    service: optionalChoice("service", ReconciledService.literals, "Only this service"),
    cell: ofCell
  },
  Effect.fnUntraced(function* ({ cell, service }) {
    const services = service === undefined ? ReconciledService.literals : [service]
    const results = yield* Effect.forEach(services, (name, index) =>
      reconcileOne(name, cell, (text) => printStep(index + 1, services.length, text))
    )
    const data = results.flatMap(({ differences }) => differences)
    const columns = "service source action what id organizationId"
    yield* printPage({ data, nextCursor: null }, columns)
    const failed = results.flatMap((result) => result.failed)
    if (failed.length > 0) {
      return yield* new CommandFailed({
        message: `Not compared with the provider: ${failed.join(", ")}. See the log of the service.`
      })
    }
  })
).pipe(
  Command.withDescription(
    "Compare payments, appointments and orders that are not final with the providers, and repair or report differences. Each service also does this every hour"
  ),
  Command.withExamples([{ command: "care reconcile --service payments", description: "Compare payments with Stripe" }])
)
