import { readFileSync } from "node:fs"
import { Effect, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { AdminClient, CommandFailed } from "../AdminClient.ts"
import { printResource } from "../output.ts"

const organization = Argument.String("organization").pipe(Argument.withDescription("Id of the organization"))

const createProduct = Command.make(
  "create",
  {
    organization,
    name: Argument.String("name").pipe(Argument.withDescription("Name of the product")),
    description: Flag.String("description").pipe(Flag.withDescription("What it is"), Flag.optional),
    price: Flag.String("price").pipe(Flag.withDescription("Price, such as 299.00"), Flag.optional),
    currency: Flag.String("currency").pipe(Flag.withDescription("ISO 4217, such as USD"), Flag.optional)
  },
  Effect.fnUntraced(function* ({ currency, description, name, organization, price }) {
    const product = yield* (yield* AdminClient).call("POST", `/organizations/${organization}/products`, {
      name,
      description: Option.getOrUndefined(description),
      price: Option.getOrUndefined(price),
      currency: Option.getOrUndefined(currency)
    })
    yield* printResource(product)
  })
).pipe(Command.withDescription("Add a product"))

/** `care product ...` */
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

// Forms and bundles have too many fields for flags: they come as the JSON body that the admin API takes.
const fromFile = (kind: "forms" | "bundles", description: string) =>
  Command.make(
    "create",
    { organization, file: Argument.String("file").pipe(Argument.withDescription("JSON file with the body")) },
    Effect.fnUntraced(function* ({ file, organization }) {
      const body = yield* readJson(file)
      yield* printResource(yield* (yield* AdminClient).call("POST", `/organizations/${organization}/${kind}`, body))
    })
  ).pipe(Command.withDescription(description))

/** `care form ...` */
export const form = Command.make("form").pipe(
  Command.withDescription("Forms of organizations"),
  Command.withSubcommands([fromFile("forms", "Add a form from a JSON file")])
)

/** `care bundle ...` */
export const bundle = Command.make("bundle").pipe(
  Command.withDescription("Bundles of products"),
  Command.withSubcommands([fromFile("bundles", "Add a bundle from a JSON file")])
)
