import { Option } from "effect"
import { Argument, Flag } from "effect/cli"

/** A text that a command needs. */
export const argument = (name: string, description: string) =>
  Argument.String(name).pipe(Argument.withDescription(description))

/** The id of the organization that a command is about. */
export const organization = argument("organization", "Id of the organization")

/** A text that may be left out. */
export const optionalText = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional, Flag.map(Option.getOrUndefined))

/** Where a list goes on. */
export const cursor = optionalText("cursor", "Where to go on: the nextCursor of the page before")
