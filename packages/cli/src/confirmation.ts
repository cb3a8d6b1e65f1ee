import { Effect } from "effect"
import { Flag, Prompt } from "effect/cli"
import { CommandFailed } from "./CommandFailed.ts"
import { Json } from "./output.ts"

/** The flag that skips the question. */
export const yes = Flag.Boolean("yes").pipe(
  Flag.withDescription("Do not ask for confirmation"),
  Flag.withDefault(false)
)

/**
 * Asks for the confirmation of an irreversible action, unless `yes`; `otherwise` is the message of a refusal. With
 * `--json` nobody is asked, and no answer is a refusal.
 */
export const confirmed = Effect.fnUntraced(function* (message: string, otherwise: string, yes: boolean) {
  if (yes) return
  const prompt = Effect.catch(Prompt.run(Prompt.Confirm({ message, initial: false })), () => Effect.succeed(false))
  const isConfirmed = (yield* Json) ? false : yield* prompt
  if (!isConfirmed) return yield* new CommandFailed({ message: `${otherwise}: confirm it, or pass --yes.` })
})
