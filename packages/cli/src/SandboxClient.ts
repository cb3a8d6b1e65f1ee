import { Care, CareError } from "@care/client"
import { readErrorAnswer } from "@care/domain/http"
import type { ScenarioFailed } from "@care/scenarios"
import { Effect, type Option, Predicate, type Redacted } from "effect"
import { Flag } from "effect/cli"
import { CommandFailed, refusal } from "./CommandFailed.ts"
import { gatewayConnection, noGatewayAt } from "./gateway.ts"
import { chooseKey, isTestKey } from "./PartnerClient.ts"

/** The test key of a command that works in a sandbox. */
export const testKeyFlag = Flag.Redacted("key").pipe(
  Flag.withDescription(
    "A test key (cv_test_...). By default CARE_API_KEY, or the test key of the demo organization of start"
  ),
  Flag.optional
)

const notATestKey = new CommandFailed({
  message:
    "This command needs a test key (cv_test_...): it works in a sandbox, and never in a live organization. Issue one in the console, or with care key issue <organization> --mode test."
})

// A limit of requests is waited for.
const maxRetries = 4

/** The partner API of a sandbox: its client, and calls of it, whose refusals are failures of the command. */
export interface SandboxClient {
  readonly care: Care
  readonly run: <A, R>(scenario: Effect.Effect<A, ScenarioFailed, R>) => Effect.Effect<A, CommandFailed, R>
  readonly call: <A>(send: (care: Care, signal: AbortSignal) => Promise<A>) => Effect.Effect<A, CommandFailed>
}

const refusalOf = ({ body, code, message, requestId, status }: CareError, baseUrl: string): CommandFailed => {
  if (status === undefined) return code === "NETWORK" ? noGatewayAt(baseUrl) : new CommandFailed({ message })
  const known = { code, ...(requestId !== undefined && { requestId }) }
  return refusal(readErrorAnswer(status, { message, ...(Predicate.isReadonlyObject(body) && body), ...known }))
}

/** Makes the client with the given key, or CARE_API_KEY, or the test key of the start command's demo organization. A live key is refused. */
export const makeSandboxClient = Effect.fnUntraced(function* (flag: Option.Option<Redacted.Redacted>) {
  const { baseUrl } = yield* gatewayConnection
  const { key } = yield* chooseKey(flag, "testApiKey")
  if (!isTestKey(key)) return yield* notATestKey
  const care = yield* Effect.try({
    try: () => new Care({ apiKey: key.trim(), baseUrl, maxRetries }),
    catch: (error) => new CommandFailed({ message: `The client cannot be made: ${String(error)}` })
  })
  const failureOf = (refusal: CareError) => refusalOf(refusal, baseUrl)
  const client: SandboxClient = {
    care,
    run: (scenario) =>
      Effect.mapError(scenario, ({ message, refusal }) => {
        if (refusal === undefined) return new CommandFailed({ message })
        const { answer, exitCode, remedy } = failureOf(refusal)
        return new CommandFailed({
          message,
          ...(answer && { answer }),
          ...(exitCode && { exitCode }),
          ...(remedy && { remedy })
        })
      }),
    call: (send) =>
      Effect.tryPromise({
        try: (signal) => send(care, signal),
        catch: (error) =>
          error instanceof CareError ? failureOf(error) : new CommandFailed({ message: String(error) })
      })
  }
  return client
})
