import { NodeRuntime } from "@effect/platform-node"
import { Cause, Effect } from "effect"
import { demoOrganization } from "./demo.ts"
import { startSettings } from "./StartSettings.ts"
import { startSuite } from "./Suite.ts"
import { welcome } from "./welcome.ts"

const colours = new Map([
  ["auth", 36],
  ["cases", 32],
  ["payments", 33],
  ["scheduling", 35],
  ["gateway", 34]
])

const say = (text: string) => process.stdout.write(`${text}\n`)

const start = Effect.gen(function* () {
  const settings = yield* startSettings
  const began = performance.now()
  // Until everything is ready, only a failure makes the processes' output worth reading.
  const held: Array<string> = []
  let isReady = false
  const write = (name: string, line: string) => {
    const label = name.padEnd(10)
    const show = isReady ? say : (text: string) => held.push(text)
    show(settings.isTerminal ? `\u001b[${colours.get(name) ?? 0}m${label}\u001b[0m ${line}` : `${label} ${line}`)
  }
  say(settings.databaseUrl === undefined ? "Starting PostgreSQL and the suite ..." : "Starting the suite ...")
  const suite = yield* startSuite(settings, write).pipe(Effect.tapError(() => Effect.sync(() => held.forEach(say))))
  const demo = yield* demoOrganization(settings.dataDirectory, suite.gatewayUrl, suite.secrets.ADMIN_TOKEN)
  say(welcome(suite, settings, demo, (performance.now() - began) / 1000))
  isReady = true
  return yield* suite.running
}).pipe(
  Effect.scoped,
  Effect.tapCause((cause) =>
    Effect.sync(() => {
      const failure = Cause.squash(cause)
      if (Cause.hasInterruptsOnly(cause)) say("Stopped.")
      else process.stderr.write(`\n${failure instanceof Error ? failure.message : String(failure)}\n`)
    })
  )
)

NodeRuntime.runMain(start, {
  disableErrorReporting: true,
  // A stop that was asked for is no failure.
  teardown: (exit, onExit) => onExit(exit._tag === "Failure" && !Cause.hasInterruptsOnly(exit.cause) ? 1 : 0)
})
