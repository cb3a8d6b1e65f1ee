import { AuthApi } from "@care/domain/auth"
import { Duration, Effect, Schedule } from "effect"
import { Command } from "effect/cli"
import * as HttpApiClient from "effect/http-api/HttpApiClient"
import { CommandFailed } from "../CommandFailed.ts"
import { credentialsOf, failureOf, gatewayClient, gatewayConnection, secretHeader } from "../gateway.ts"
import { optionalText } from "../inputs.ts"
import { printDone, printNotice } from "../output.ts"
import { forgetSession, readSession, storeSession } from "../storedSessions.ts"

const failed = (failure: CommandFailed) =>
  failure.answer === undefined
    ? failure
    : new CommandFailed({ ...failure, message: `The sign-in failed: ${failure.answer.text}` })

// The person has not approved it yet, or was asked about too often.
const waits = (failure: CommandFailed): boolean => failure.answer?.status === 409 || failure.answer?.status === 429

export const login = Command.make(
  "login",
  { cell: optionalText("cell", "The cell of your organization, if there are several") },
  Effect.fnUntraced(function* ({ cell }) {
    const { baseUrl } = yield* gatewayConnection
    const httpClient = yield* gatewayClient(baseUrl, credentialsOf({}))
    const { deviceToken, startDevice } = yield* HttpApiClient.group(AuthApi, { group: "staffSignIn", httpClient })
    const query = cell === undefined ? {} : { cell }
    const started = startDevice({ query }).pipe(Effect.mapError(failureOf), Effect.mapError(failed))
    const { deviceCode, interval, userCode, verificationUri } = yield* started
    yield* printNotice(`Open ${verificationUri}, sign in, and enter the code ${userCode}. Waiting ...`)
    const { expiresAt, token } = yield* deviceToken({ query, payload: { deviceCode } }).pipe(
      Effect.mapError(failureOf),
      Effect.retry({ while: waits, schedule: Schedule.spaced(Duration.seconds(interval)) }),
      Effect.mapError(failed)
    )
    yield* storeSession(baseUrl, token)
    yield* printDone({ expiresAt }, `Signed in until ${expiresAt.toISOString()}.`)
  })
).pipe(
  Command.withDescription("Sign in as a member of staff, by a code that you approve in the console"),
  Command.withExamples([{ command: "care login", description: "Sign in" }])
)

export const logout = Command.make(
  "logout",
  {},
  Effect.fnUntraced(function* () {
    const { baseUrl } = yield* gatewayConnection
    const token = yield* readSession(baseUrl)
    if (token !== undefined) {
      const headers = yield* secretHeader("authorization", `Bearer ${token}`, "The token of your session")
      const httpClient = yield* gatewayClient(baseUrl, credentialsOf(headers))
      const { signOut } = yield* HttpApiClient.group(AuthApi, { group: "staffSession", httpClient })
      // The session may have ended already.
      yield* Effect.mapError(signOut(), failureOf).pipe(
        Effect.catchIf(
          ({ answer }) => answer?.status === 401,
          () => Effect.void
        )
      )
      yield* forgetSession(baseUrl)
    }
    yield* printDone(
      { signedOut: token !== undefined },
      token === undefined ? "You were not signed in." : "Signed out."
    )
  })
).pipe(
  Command.withDescription("End the session of care login"),
  Command.withExamples([{ command: "care logout", description: "Sign out" }])
)
