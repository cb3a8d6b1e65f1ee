import { firstSecret } from "@care/service-kit/boot"
import { StartFailed } from "@care/stand-ins"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Effect } from "effect"
import { demoOrganization } from "./demo.ts"
import { builtConsole, builtDocs, isMissing, rebuild } from "./keepBuilt.ts"
import { areAllGiven, readCellCount, startSettings } from "./StartSettings.ts"
import { startSuite } from "./Suite.ts"
import { welcome } from "./welcome.ts"

const colours = new Map([
  ["auth", 36],
  ["cases", 32],
  ["payments", 33],
  ["scheduling", 35],
  ["gateway", 34],
  ["postgres", 31]
])

const say = (text: string) => process.stdout.write(`${text}\n`)

// Before the suite is ready, the last lines of the processes are printed only for an unexplained failure.
const maxPrintedLines = 60

const start = Effect.gen(function* () {
  const cells = yield* readCellCount(process.argv.slice(2))
  const settings = { ...(yield* startSettings), cells }
  const began = performance.now()
  const bufferedLines: Array<string> = []
  let isReady = false
  const write = (name: string, line: string) => {
    const label = name.padEnd(10)
    const text = settings.isTerminal ? `\u001b[${colours.get(name) ?? 0}m${label}\u001b[0m ${line}` : `${label} ${line}`
    if (isReady) say(text)
    else bufferedLines.push(text)
  }
  const missing = [builtDocs, builtConsole].filter(
    (built) => process.env[built.variable] === undefined && isMissing(built)
  )
  say(areAllGiven(settings.databaseUrls) ? "Starting the suite ..." : "Starting PostgreSQL and the suite ...")
  const { demo, suite } = yield* Effect.gen(function* () {
    const suite = yield* startSuite(settings, write)
    const adminToken = firstSecret(suite.secrets.ADMIN_TOKEN)
    return { suite, demo: yield* demoOrganization(settings.dataDirectory, suite.gatewayUrl, adminToken) }
  }).pipe(
    Effect.tapError((error) =>
      Effect.sync(() => {
        if (error instanceof StartFailed && error.isInOutput === true)
          bufferedLines.slice(-maxPrintedLines).forEach(say)
      })
    )
  )
  say(welcome(suite, settings, demo, (performance.now() - began) / 1000))
  isReady = true
  // The gateway shows a page that loads again until they are there. One after the other: each build uses all processors.
  yield* Effect.forkScoped(
    Effect.forEach(missing, (built) => rebuild(built, (line) => write(built.name, line)), { discard: true })
  )
  return yield* suite.running
}).pipe(
  Effect.scoped,
  Effect.onExit((exit) =>
    Effect.sync(() => {
      if (exit._tag === "Success") return
      const failure = Cause.squash(exit.cause)
      if (Cause.hasInterruptsOnly(exit.cause)) say("Stopped.")
      else process.stderr.write(`\n${failure instanceof Error ? failure.message : String(failure)}\n`)
    })
  )
)

// A closed terminal, or a closed pipe of our output, ends the suite like Ctrl-C.
const stopInOrder = () => process.kill(process.pid, "SIGTERM")
process.once("SIGHUP", stopInOrder)
process.stdout.once("error", stopInOrder).on("error", () => {})
process.stderr.on("error", () => {})

NodeRuntime.runMain(start, {
  disableErrorReporting: true,
  // A requested stop is not a failure.
  teardown: (exit, onExit) => onExit(exit._tag === "Failure" && !Cause.hasInterruptsOnly(exit.cause) ? 1 : 0)
})
