import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { AdminClient } from "../AdminClient.ts"
import { CommandFailed, commandSettings } from "../gateway.ts"
import { argument, idArgument, optionalText } from "../inputs.ts"
import { cellDatabasesSetting } from "../move/cellDatabasesSetting.ts"
import { printAnswer, printDone, printList, printPage, printProgress, printResource } from "../output.ts"

const id = idArgument("id", "Id of the organization")
const name = argument("name", "Name of the organization")

const create = Command.make(
  "create",
  {
    name,
    contactEmail: optionalText("contact-email", "Email for notices about disabled webhook endpoints"),
    cell: optionalText("cell", "The cell, if there are several: by default the one with the fewest organizations")
  },
  Effect.fnUntraced(function* (changes) {
    const organization = yield* (yield* AdminClient).call("POST", "/organizations", changes)
    yield* printResource(organization, `Next: pnpm care key issue ${String(organization["id"])}`)
  })
).pipe(
  Command.withDescription("Create an organization"),
  Command.withExamples([{ command: 'care org create "Acme Clinic"', description: "Create an organization" }])
)

const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function* () {
    const organizations = yield* (yield* AdminClient).list("/organizations")
    const hasCells = organizations.data.some(({ cell }) => cell !== undefined)
    yield* printPage(organizations, `id name contactEmail isDisabled createdAt${hasCells ? " cell" : ""}`)
  })
).pipe(Command.withDescription("List all organizations"))

const show = Command.make("show", { id }, ({ id }) => printAnswer("GET", `/organizations/${id}`)).pipe(
  Command.withDescription("Show an organization")
)

const rename = Command.make("rename", { id, name }, ({ id, name }) =>
  printAnswer("PATCH", `/organizations/${id}`, { name })
).pipe(Command.withDescription("Rename an organization"))

const contact = Command.make(
  "contact",
  {
    id,
    email: optionalText("email", "The new address"),
    remove: Flag.Boolean("remove").pipe(
      Flag.withDescription("Remove the address: notices are sent to the members with the role ADMIN"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ email, id, remove }) {
    if (remove === (email !== undefined)) {
      return yield* new CommandFailed({ message: "Pass either --email with the new address, or --remove." })
    }
    yield* printAnswer("PATCH", `/organizations/${id}`, { contactEmail: email ?? null })
  })
).pipe(Command.withDescription("Change the email for notices about an organization's webhook endpoints"))

const usage = Command.make("usage", { id }, ({ id }) =>
  printList(`/organizations/${id}/usage`, {}, "service kind unit used allowed")
).pipe(Command.withDescription("Show the quotas of an organization and their usage"))

// Loaded when it is needed: the driver of PostgreSQL takes as long to load as all else.
const mover = Effect.promise(() => import("../move/moveOrganization.ts"))

const move = Command.make(
  "move",
  {
    id,
    to: Flag.String("to").pipe(Flag.withDescription("The cell that gets the organization")),
    cancel: Flag.Boolean("cancel").pipe(
      Flag.withDescription("Give up a move that was broken off, before the other cell has the organization"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ cancel, id, to }) {
    const databases = yield* commandSettings(cellDatabasesSetting)
    if (databases === undefined) {
      return yield* new CommandFailed({ message: "CELL_DATABASES is missing: see docs/cells.md." })
    }
    const databasesOf = (cell: string) =>
      Effect.mapError(
        Effect.fromNullishOr(databases.get(cell)),
        () =>
          new CommandFailed({
            message: `CELL_DATABASES has no cell ${cell}: it has ${[...databases.keys()].join(" and ")}.`
          })
      )
    const target = yield* databasesOf(to)
    const { cancelMove, moveOrganization, unfinishedFrom } = yield* mover
    const current = (yield* (yield* AdminClient).call("GET", `/organizations/${id}`))["cell"]
    const from = current === to ? yield* unfinishedFrom(databases, id, to) : String(current ?? "c1")
    if (from === undefined) return yield* printDone({ id, cell: to }, `The organization is in the cell ${to}.`)
    const source = yield* databasesOf(from)
    const options = { organizationId: id, from, to, source, target, report: printProgress }
    if (cancel) {
      yield* cancelMove(options)
      return yield* printDone({ id, cell: from }, `The move is given up. The organization stays in the cell ${from}.`)
    }
    yield* moveOrganization(options).pipe(
      Effect.onInterrupt(() =>
        printProgress("The move is broken off. Writes go on within a minute. Start it again, or add --cancel.")
      )
    )
    yield* printDone(
      { id, cell: to },
      `The organization is in the cell ${to}. Keys and callbacks that name ${from} find it.`
    )
  })
).pipe(
  Command.withDescription("Move an organization to another cell, while it is used. Start it again if it was broken off")
)

const disabling = (name: string, isDisabled: boolean, description: string) =>
  Command.make(name, { id }, ({ id }) => printAnswer("PATCH", `/organizations/${id}`, { isDisabled })).pipe(
    Command.withDescription(description)
  )

const disable = disabling("disable", true, "Disable an organization: its keys stop working within 5 seconds")
const enable = disabling("enable", false, "Enable a disabled organization")

export const org = Command.make("org").pipe(
  Command.withDescription("Organizations: the partners of the platform"),
  Command.withSubcommands([create, list, show, rename, contact, usage, move, disable, enable])
)
