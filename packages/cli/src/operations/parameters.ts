import { Option } from "effect"
import { Argument, Flag } from "effect/cli"
import { anId, decodeId } from "../inputs.ts"
import type { Field } from "./fieldsOf.ts"
import type { Operation } from "./Operation.ts"

export const wordsOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const commonNames: Readonly<Record<string, string>> = {
  phoneNumber: "phone",
  addedByUserId: "by",
  authorUserId: "by",
  uploadedByUserId: "by",
  assignedByUserId: "by"
}

/** Returns the name of a field on the command line: `is` and `Id` are left out, and lists of ids are plural. */
export const nameOf = ({ flags = {} }: Pick<Operation, "flags">, field: string): string =>
  flags[field] ??
  commonNames[field] ??
  wordsOf(
    field
      .replace(/^is(?=[A-Z])/, "")
      .replace(/Ids$/, "s")
      .replace(/Id$/, "")
  )
    .trim()
    .replaceAll(/[ .]+/g, "-")

const descriptions: Readonly<Record<string, string>> = {
  limit: "Rows of a page",
  cursor: "The nextCursor of the previous page",
  cell: "The cell, if there are several",
  amount: "Amount in the currency of the payment. By default all of it",
  refunded: "The total of earlier refunds. If it is different, nothing is refunded",
  q: "An id, the short id, an email, a phone number, or the beginning of a name",
  phoneNumber: "Phone number in E.164",
  price: "Price, such as 299.00",
  addedByUserId: "Id of the provider who decides, by default you",
  authorUserId: "Id of the author, by default you",
  uploadedByUserId: "Id of the user whose file it is, by default you",
  assignedByUserId: "Id of the member of staff who assigns, by default you",
  isRestricted: "An internal note of the staff"
}

const capitalized = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

/** Says what a field is. */
export const describe = (field: Field): string => {
  const plain = wordsOf(field.name.replace(/^is(?=[A-Z])/, "").replace(/Ids?$/, ""))
    .replaceAll(".", ": ")
    .trim()
  const about = descriptions[field.name]
  const ending = field.isRequired && field.kind !== "boolean" ? " (required)" : ""
  if (about !== undefined) return `${about}${ending}`
  switch (field.kind) {
    case "id":
      return `Id of the ${plain}${ending}`
    case "moment":
      return `${capitalized(plain)}, such as 2026-01-31T00:00:00Z${ending}`
    case "texts":
      return `${capitalized(field.name.endsWith("Ids") ? `ids of ${plain}s` : plain)}, separated by commas${ending}`
    case "files":
      return `Paths of files, separated by commas${ending}`
    case "records":
      return `<field>=<value>; ..., with the fields ${field.fields.map(({ name }) => name).join(", ")}. Repeat the flag for each`
    default:
      return `${capitalized(plain)}${ending}`
  }
}

const listOf = (text: string): ReadonlyArray<string> => text.split(",").map((item) => item.trim())

const untyped = <A>(flag: Flag.Flag<A>): Flag.Flag<unknown> => Flag.map(flag, (value): unknown => value)

const anyFlag = (field: Field, name: string): Flag.Flag<unknown> => {
  switch (field.kind) {
    case "choice":
      return untyped(Flag.Literals(name, field.choices))
    case "id":
      return untyped(Flag.String(name).pipe(Flag.filterMap(decodeId, anId)))
    case "integer":
      return untyped(Flag.Int(name))
    case "number":
      return untyped(Flag.Finite(name))
    case "boolean":
      return untyped(Flag.Boolean(name))
    case "texts":
    case "files":
      return untyped(Flag.map(Flag.String(name), listOf))
    default:
      return untyped(Flag.String(name))
  }
}

/** Returns the flag of a field. Its value is undefined without it; of records it is the list of the given texts. */
export const flagOf = (field: Field, name: string): Flag.Flag<unknown> => {
  const flag = Flag.withDescription(anyFlag(field, name), describe(field))
  return field.kind === "records"
    ? untyped(Flag.atLeast(flag, 0))
    : flag.pipe(Flag.optional, Flag.map(Option.getOrUndefined))
}

const anyArgument = (field: Field, name: string): Argument.Argument<unknown> => {
  switch (field.kind) {
    case "choice":
      return Argument.Literals(name, field.choices).pipe(Argument.withMetavar(field.choices.join("|")))
    case "id":
      return Argument.String(name).pipe(Argument.filterMap(decodeId, anId))
    case "texts":
      return Argument.String(name).pipe(Argument.map(listOf))
    default:
      return Argument.String(name)
  }
}

/** Returns the argument of a field. */
export const argumentOf = (field: Field, name: string): Argument.Argument<unknown> =>
  Argument.withDescription(anyArgument(field, name), describe(field))
