import { Uuid } from "@care/domain/ids"
import { Option, Schema } from "effect"
import { Argument, Flag } from "effect/cli"

/** A text that a command needs. */
export const argument = (name: string, description: string) =>
  Argument.String(name).pipe(Argument.withDescription(description))

const decodeId = Schema.decodeOption(Uuid)
const anId = () => "a UUID"

/** The id of what a command is about. It becomes a part of a path, and nothing else that a path reads. */
export const idArgument = (name: string, description: string) =>
  argument(name, description).pipe(Argument.filterMap(decodeId, anId))

/** The id of the organization that a command is about. */
export const organization = idArgument("organization", "Id of the organization")

/** A text that may be left out. */
export const optionalText = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional, Flag.map(Option.getOrUndefined))

/** A list that may be left out: texts with commas, and maybe blanks, between them. */
export const optionalList = (name: string, description: string) =>
  optionalText(name, description).pipe(Flag.map((given) => given?.split(",").map((text) => text.trim())))

/** An id that may be left out. */
export const optionalId = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.filterMap(decodeId, anId),
    Flag.withDescription(description),
    Flag.optional,
    Flag.map(Option.getOrUndefined)
  )

/** Where a list goes on. */
export const cursor = optionalText("cursor", "Where to go on: the nextCursor of the page before")
