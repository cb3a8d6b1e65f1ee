import { printable } from "@care/service-kit/boot"
import { Cause, Console, Effect, Predicate } from "effect"
import { Command } from "effect/cli"
import { AdminClient } from "./AdminClient.ts"
import { care } from "./care.ts"
import { CommandFailed } from "./gateway.ts"

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
      return new CommandFailed({ message: `${mistakes}: see ${commandPath.join(" ")} --help` })
    })
  )
  if (texts.length > 0) yield* Console.log(texts.join("\n"))
})

const messageOf = (failure: unknown): string =>
  Predicate.hasProperty(failure, "message") ? String(failure.message) : String(failure)

// Parsed like the library's flag, which is not available when other parameters are invalid.
const asksForJson = (parameters: ReadonlyArray<string>): boolean => {
  const index = parameters.findIndex((parameter) => /^--json(?:=|$)/.test(parameter))
  if (index === -1) return false
  const [, value = parameters[index + 1] ?? ""] = parameters[index]?.split("=") ?? []
  return !/^(?:false|no|off|n|0)$/.test(value)
}

/**
 * Runs a command line. A failure is printed on standard error: as a sentence, or with `--json` as the document `{
 * "error": { "message": ... } }`.
 */
export const runCare = (parameters: ReadonlyArray<string>) => {
  const isJson = asksForJson(parameters)
  const run = isJson ? runForPrograms(parameters) : Command.runWith(care, settings)(parameters)
  return Effect.tapCause(Effect.provide(run, AdminClient.layer), (cause) => {
    const failure = Cause.squash(cause)
    // The library has printed the mistake and its help.
    if (Predicate.isTagged(failure, "ShowHelp") || Cause.hasInterruptsOnly(cause)) return Effect.void
    const message = messageOf(failure)
    return Console.error(printable(isJson ? JSON.stringify({ error: { message } }) : message))
  })
}
