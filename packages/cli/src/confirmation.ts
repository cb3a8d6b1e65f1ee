import { Effect } from "effect"
import { Flag, Prompt } from "effect/cli"
import { CommandFailed } from "./gateway.ts"
import { Json } from "./output.ts"

/** That nobody is asked. */
export const yes = Flag.Boolean("yes").pipe(Flag.withDescription("Do not ask"), Flag.withDefault(false))

/**
 * Asks whether what cannot be taken back is to be done, unless `yes`; `otherwise` says what was not done. Whoever wants JSON is a
 * program, and nobody to ask; no answer is none.
 */
export const confirmed = Effect.fnUntraced(function* (message: string, otherwise: string, yes: boolean) {
  if (yes) return
  const ask = Effect.catch(Prompt.run(Prompt.Confirm({ message, initial: false })), () => Effect.succeed(false))
  const isConfirmed = (yield* Json) ? false : yield* ask
  if (!isConfirmed) return yield* new CommandFailed({ message: `${otherwise}: confirm it, or say --yes.` })
})
