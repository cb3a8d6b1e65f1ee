import { readFileSync } from "node:fs"
import { Effect, Schema } from "effect"
import { Command } from "effect/cli"
import { CommandFailed } from "../gateway.ts"
import { argument, optionalText, organization } from "../inputs.ts"
import { printAnswer } from "../output.ts"

const createProduct = Command.make(
  "create",
  {
    organization,
    name: argument("name", "Name of the product"),
    description: optionalText("description", "Description of the product"),
    price: optionalText("price", "Price, such as 299.00"),
    currency: optionalText("currency", "ISO 4217 currency code, such as USD")
  },
  ({ organization, ...product }) => printAnswer("POST", `/organizations/${organization}/products`, product)
).pipe(Command.withDescription("Add a product"))

export const product = Command.make("product").pipe(
  Command.withDescription("Products that organizations offer"),
  Command.withSubcommands([createProduct])
)

const decodeJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))

const readJson = Effect.fnUntraced(function* (file: string) {
  const text = yield* Effect.try({
    try: () => readFileSync(file, "utf8"),
    catch: () => new CommandFailed({ message: `The file ${file} cannot be read.` })
  })
  return yield* decodeJson(text).pipe(
    Effect.mapError(() => new CommandFailed({ message: `The file ${file} is not JSON.` }))
  )
})

// Forms and bundles have too many fields for flags: a file contains the JSON body of the admin API.
const fromFile = (kind: "forms" | "bundles", description: string) =>
  Command.make(
    "create",
    { organization, file: argument("file", "JSON file with the body of the request") },
    Effect.fnUntraced(function* ({ file, organization }) {
      yield* printAnswer("POST", `/organizations/${organization}/${kind}`, yield* readJson(file))
    })
  ).pipe(Command.withDescription(description))

export const form = Command.make("form").pipe(
  Command.withDescription("Forms of organizations"),
  Command.withSubcommands([fromFile("forms", "Add a form from a JSON file")])
)

export const bundle = Command.make("bundle").pipe(
  Command.withDescription("Bundles of products"),
  Command.withSubcommands([fromFile("bundles", "Add a bundle from a JSON file")])
)
