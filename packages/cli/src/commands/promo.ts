import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailed } from "../gateway.ts"
import { argument, cursor, idArgument, optionalId, optionalList, optionalText } from "../inputs.ts"
import { printAnswer, printList } from "../output.ts"

const expiresAt = optionalText("expires-at", "When it expires (ISO 8601)")

const optionalNumber = (flag: Flag.Flag<number>, description: string) =>
  flag.pipe(Flag.withDescription(description), Flag.optional, Flag.map(Option.getOrUndefined))

const maxRedemptions = optionalNumber(Flag.Int("max-redemptions"), "How often it can be used")

const create = Command.make(
  "create",
  {
    code: argument("code", "The code"),
    name: optionalText("name", "Another name by which the code is found"),
    organizationId: optionalId("organization", "Id of the organization. By default the code is for all organizations"),
    flatDiscount: optionalNumber(Flag.Finite("flat"), "The discount as an amount, such as 25"),
    percentDiscount: optionalNumber(Flag.Finite("percent"), "The discount as a percentage, such as 10"),
    bundleIds: optionalList("bundles", "Ids of the bundles to which it applies, separated by commas"),
    expiresAt,
    maxRedemptions
  },
  Effect.fnUntraced(function* (promo) {
    if ((promo.flatDiscount === undefined) === (promo.percentDiscount === undefined)) {
      return yield* new CommandFailed({ message: "Pass exactly one of --flat and --percent." })
    }
    yield* printAnswer("POST", "/promo-codes", promo)
  })
).pipe(
  Command.withDescription("Add a promo code: with --flat or --percent"),
  Command.withExamples([
    { command: "care promo create WELCOME10 --percent 10", description: "Ten percent, for all organizations" }
  ])
)

const list = Command.make(
  "list",
  {
    organizationId: optionalId("organization", "Only promo codes of the organization with this id"),
    code: optionalText("code", "Only promo codes with this code or name"),
    cursor
  },
  (query) =>
    printList(
      "/promo-codes",
      query,
      "id organizationId code name flatDiscount percentDiscount isActive expiresAt redemptions maxRedemptions"
    )
).pipe(Command.withDescription("List the newest promo codes"))

const taking = (name: string, description: string) =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false))

const change = Command.make(
  "change",
  {
    id: idArgument("id", "Id of the promo code"),
    isActive: Flag.Literals("active", ["true", "false"]).pipe(
      Flag.withDescription("Whether it can be used"),
      Flag.optional,
      Flag.map(Option.map((value) => value === "true")),
      Flag.map(Option.getOrUndefined)
    ),
    expiresAt,
    neverExpires: taking("never-expires", "Remove the expiry"),
    maxRedemptions,
    unlimited: taking("unlimited", "Remove the limit of uses")
  },
  ({ expiresAt, id, isActive, maxRedemptions, neverExpires, unlimited }) =>
    printAnswer("PATCH", `/promo-codes/${id}`, {
      isActive,
      expiresAt: neverExpires ? null : expiresAt,
      maxRedemptions: unlimited ? null : maxRedemptions
    })
).pipe(
  Command.withDescription("Enable or disable a promo code, or change its expiry or limit"),
  Command.withExamples([
    {
      command: "care promo change 3b241101-e2bb-4255-8caf-4136c566a962 --active false",
      description: "Disable a promo code"
    }
  ])
)

export const promo = Command.make("promo").pipe(
  Command.withDescription("Promo codes of organizations, and global ones"),
  Command.withSubcommands([create, list, change])
)
