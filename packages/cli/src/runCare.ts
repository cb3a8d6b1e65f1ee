import { Cause, Console, Effect, Predicate } from "effect"
import { Command } from "effect/cli"
import { AdminClient } from "./AdminClient.ts"
import { CommandFailed, wrongUsage } from "./CommandFailed.ts"
import { care } from "./care.ts"
import { printNotice } from "./output.ts"

const settings = { version: "1.0.0" }

// Standard output is only for the command's document. The library prints help there for invalid parameters, so its
// output is held back until it is known whether help was requested.
const runForPrograms = Effect.fnUntraced(function* (parameters: ReadonlyArray<string>) {
  const console = yield* Console.Console
  const texts: Array<string> = []
  const collecting: Console.Console = Object.assign(Object.create(console), { log: (text: string) => texts.push(text) })
  const command = Command.provideSync(care, Console.Console, console)
  yield* Command.runWith(command, { ...settings, renderErrors: false })(parameters).pipe(
    Effect.provideService(Console.Console, collecting),
    Effect.catchTag("ShowHelp", ({ commandPath, errors }) => {
      const mistakes = errors.length === 0 ? "A command is missing" : errors.map(({ message }) => message).join("; ")
      return wrongUsage(`${mistakes}: see ${commandPath.join(" ")} --help`)
    })
  )
  if (texts.length > 0) yield* Console.log(texts.join("\n"))
})

const asCommandFailed = (failure: unknown): CommandFailed =>
  failure instanceof CommandFailed
    ? failure
    : new CommandFailed({
        message: Predicate.hasProperty(failure, "message") ? String(failure.message) : String(failure)
      })

// The library has the script that completes commands as a flag.
const spelled = (parameters: ReadonlyArray<string>): ReadonlyArray<string> =>
  parameters[0] === "completion" && parameters.length === 2 && !parameters[1]?.startsWith("-")
    ? ["--completions", ...parameters.slice(1)]
    : parameters

// Parsed like the library's flag, which is not available when other parameters are invalid.
const asksForJson = (parameters: ReadonlyArray<string>): boolean => {
  const index = parameters.findIndex((parameter) => /^--json(?:=|$)/.test(parameter))
  if (index === -1) return false
  const [, value = parameters[index + 1] ?? ""] = parameters[index]?.split("=") ?? []
  return !/^(?:false|no|off|n|0)$/.test(value)
}

/**
 * Runs a command line. A failure is printed on standard error: in words, or with `--json` as the document `{ "error": { "message": ... } }`.
 */
export const runCare = (parameters: ReadonlyArray<string>) => {
  const isJson = asksForJson(parameters)
  const run = isJson ? runForPrograms(parameters) : Command.runWith(care, settings)(spelled(parameters))
  return Effect.provide(run, AdminClient.layer).pipe(
    Effect.tapCause((cause) => {
      const failure = Cause.squash(cause)
      // The library has printed the mistake and its help.
      if (Predicate.isTagged(failure, "ShowHelp") || Cause.hasInterruptsOnly(cause)) return Effect.void
      const { json, lines } = asCommandFailed(failure)
      return printNotice(isJson ? JSON.stringify({ error: json }) : lines)
    }),
    Effect.catchTag("ShowHelp", (help) =>
      Effect.fail(help.errors.length === 0 ? help : wrongUsage(help.errors.map(({ message }) => message).join("; ")))
    )
  )
}
