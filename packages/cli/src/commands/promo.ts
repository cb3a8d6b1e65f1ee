import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailed } from "../gateway.ts"
import { argument, cursor, idArgument, optionalId, optionalList, optionalText } from "../inputs.ts"
import { printAnswer, printList } from "../output.ts"

const expiresAt = optionalText("expires-at", "When it ends (ISO 8601)")

const optionalNumber = (flag: Flag.Flag<number>, description: string) =>
  flag.pipe(Flag.withDescription(description), Flag.optional, Flag.map(Option.getOrUndefined))

const maxRedemptions = optionalNumber(Flag.Int("max-redemptions"), "How often it may be used")

const create = Command.make(
  "create",
  {
    code: argument("code", "The code"),
    name: optionalText("name", "Another name that it is found by"),
    organizationId: optionalId("organization", "Id of the organization; without it the code is for all"),
    flatDiscount: optionalNumber(Flag.Finite("flat"), "The amount that it takes off, such as 25"),
    percentDiscount: optionalNumber(Flag.Finite("percent"), "The percentage that it takes off, such as 10"),
    bundleIds: optionalList("bundles", "Ids of the bundles that it is for, separated by commas"),
    expiresAt,
    maxRedemptions
  },
  Effect.fnUntraced(function* (promo) {
    if ((promo.flatDiscount === undefined) === (promo.percentDiscount === undefined)) {
      return yield* new CommandFailed({ message: "Give exactly one of --flat and --percent." })
    }
    yield* printAnswer("POST", "/promo-codes", promo)
  })
).pipe(
  Command.withDescription("Add a promo code: with --flat or --percent"),
  Command.withExamples([{ command: "care promo create WELCOME10 --percent 10", description: "Ten percent, for all" }])
)

const list = Command.make(
  "list",
  {
    organizationId: optionalId("organization", "Only promo codes of the organization with this id"),
    code: optionalText("code", "Only those with this code or name"),
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
      Flag.withDescription("Whether it may be used"),
      Flag.optional,
      Flag.map(Option.map((value) => value === "true")),
      Flag.map(Option.getOrUndefined)
    ),
    expiresAt,
    neverExpires: taking("never-expires", "Take its end away"),
    maxRedemptions,
    unlimited: taking("unlimited", "Take its limit away")
  },
  ({ expiresAt, id, isActive, maxRedemptions, neverExpires, unlimited }) =>
    printAnswer("PATCH", `/promo-codes/${id}`, {
      isActive,
      expiresAt: neverExpires ? null : expiresAt,
      maxRedemptions: unlimited ? null : maxRedemptions
    })
).pipe(
  Command.withDescription("Switch a promo code off or on, or move its bounds"),
  Command.withExamples([
    {
      command: "care promo change 3b241101-e2bb-4255-8caf-4136c566a962 --active false",
      description: "Switch a promo code off"
    }
  ])
)

export const promo = Command.make("promo").pipe(
  Command.withDescription("Promo codes: discounts of organizations, or of all"),
  Command.withSubcommands([create, list, change])
)
