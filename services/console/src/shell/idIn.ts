import { notFound } from "@tanstack/react-router"
import { Option, Schema } from "effect"

/** Returns the id that a path has. There is no page for anything else. */
export const idIn = <Id>(schema: Schema.Codec<Id, string>, text: string): Id =>
  Option.getOrThrowWith(Schema.decodeUnknownOption(schema)(text), () => notFound())
