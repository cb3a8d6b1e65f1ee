import { Uuid } from "@care/domain/ids"
import { Option, Schema } from "effect"
import { Argument, Flag } from "effect/cli"

/** A required text argument. */
export const argument = (name: string, description: string) =>
  Argument.String(name).pipe(Argument.withDescription(description))

/** Decodes an id, for `filterMap`, and says what is expected. */
export const decodeId = Schema.decodeOption(Uuid)
export const anId = () => "a UUID"

/** The id of a command's subject. It becomes one part of a path, so it may not contain anything else of a path. */
export const idArgument = (name: string, description: string) =>
  argument(name, description).pipe(Argument.filterMap(decodeId, anId))

/** The id of a command's organization. */
export const organization = idArgument("organization", "Id of the organization")

/** An optional text. */
export const optionalText = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional, Flag.map(Option.getOrUndefined))

/** An optional list: texts, separated by commas and optional blanks. */
export const optionalList = (name: string, description: string) =>
  optionalText(name, description).pipe(Flag.map((list) => list?.split(",").map((text) => text.trim())))

/** An optional id. */
export const optionalId = (name: string, description: string) =>
  Flag.String(name).pipe(
    Flag.filterMap(decodeId, anId),
    Flag.withDescription(description),
    Flag.optional,
    Flag.map(Option.getOrUndefined)
  )

/** The cell that a command is about, if there are several. */
export const ofCell = optionalText("cell", "The cell, if there are several: c1 by default")

/** The cursor of a list. */
export const cursor = optionalText("cursor", "The nextCursor of the previous page")

/** An optional choice. */
export const optionalChoice = <const Choice extends string>(
  name: string,
  choices: ReadonlyArray<Choice>,
  description: string
) =>
  Flag.Literals(name, choices).pipe(Flag.withDescription(description), Flag.optional, Flag.map(Option.getOrUndefined))
