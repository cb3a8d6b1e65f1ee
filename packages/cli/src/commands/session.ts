import { Effect, Schema } from "effect"
import { Command } from "effect/cli"
import { CommandFailed, callGateway, gatewayConnection } from "../gateway.ts"
import { optionalText } from "../inputs.ts"
import { printDone, printProgress } from "../output.ts"
import { forgetSession, readSession, storeSession } from "../storedSessions.ts"

const Device = Schema.Struct({
  deviceCode: Schema.String,
  userCode: Schema.String,
  verificationUri: Schema.String,
  interval: Schema.Natural
})
const Issued = Schema.Struct({ token: Schema.String, expiresAt: Schema.String })
const Problem = Schema.Struct({ detail: Schema.String })

const read = <A>(schema: Schema.Codec<A, unknown>, text: string) =>
  Effect.mapError(
    Schema.decodeUnknownEffect(Schema.fromJsonString(schema))(text),
    () => new CommandFailed({ message: "The gateway's response is not what a sign-in answers." })
  )

const failed = (status: number, text: string) =>
  read(Problem, text).pipe(
    Effect.catch(() => new CommandFailed({ message: `The gateway answered ${status}.` })),
    Effect.flatMap(({ detail }) => new CommandFailed({ message: `The sign-in failed: ${detail}` }))
  )

const pending = 409
const tooFast = 429

export const login = Command.make(
  "login",
  { cell: optionalText("cell", "The cell of your organization, if there are several") },
  Effect.fnUntraced(function* ({ cell }) {
    const { baseUrl } = yield* gatewayConnection
    const query = cell === undefined ? "" : `?cell=${encodeURIComponent(cell)}`
    const post = (path: string, body?: unknown) =>
      callGateway(baseUrl, "POST", `/admin/v1/session/device${path}${query}`, {}, body)
    const started = yield* post("")
    if (!started.isOk) return yield* failed(started.status, started.text)
    const { deviceCode, interval, userCode, verificationUri } = yield* read(Device, started.text)
    yield* printProgress(`Open ${verificationUri}, sign in, and enter the code ${userCode}. Waiting ...`)
    for (;;) {
      const { isOk, status, text } = yield* post("/token", { deviceCode })
      if (isOk) {
        const { expiresAt, token } = yield* read(Issued, text)
        yield* storeSession(baseUrl, token)
        return yield* printDone({ expiresAt }, `Signed in until ${expiresAt}.`)
      }
      if (status !== pending && status !== tooFast) return yield* failed(status, text)
      yield* Effect.sleep(interval * 1000)
    }
  })
).pipe(Command.withDescription("Sign in as a member of staff, by a code that you approve in the console"))

export const logout = Command.make(
  "logout",
  {},
  Effect.fnUntraced(function* () {
    const { baseUrl } = yield* gatewayConnection
    const token = yield* readSession(baseUrl)
    if (token !== undefined) {
      const authorization = `Bearer ${token}`
      const { isOk, status, text } = yield* callGateway(
        baseUrl,
        "DELETE",
        "/admin/v1/session",
        { authorization },
        undefined
      )
      // The session may have ended already.
      if (!isOk && status !== 401) return yield* failed(status, text)
      yield* forgetSession(baseUrl)
    }
    yield* printDone(
      { signedOut: token !== undefined },
      token === undefined ? "You were not signed in." : "Signed out."
    )
  })
).pipe(Command.withDescription("End the session of care login"))
