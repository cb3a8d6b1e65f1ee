import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { AdminClient } from "../AdminClient.ts"
import { CommandFailed } from "../CommandFailed.ts"
import { commandSettings } from "../gateway.ts"
import { idArgument } from "../inputs.ts"
import { cellDatabasesSetting } from "../move/cellDatabasesSetting.ts"
import { printDone, printNotice, printStep } from "../output.ts"

// Loaded when it is needed: the driver of PostgreSQL takes as long to load as all else.
const mover = Effect.promise(() => import("../move/moveOrganization.ts"))

export const orgMove = Command.make(
  "move",
  {
    id: idArgument("id", "Id of the organization"),
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
    const { cancelMove, moveOrganization: moveTo, moveSteps, sandboxOf, unfinishedFrom } = yield* mover
    const { call } = yield* AdminClient
    const report = (text: string, step: number) => printStep(step, moveSteps, text)

    const optionsOf = Effect.fnUntraced(function* (organizationId: string, current: unknown) {
      const from = current === to ? yield* unfinishedFrom(databases, organizationId, to) : String(current ?? "c1")
      if (from === undefined) return undefined
      return { organizationId, from, to, source: yield* databasesOf(from), target, report }
    })
    const cellOf = (organizationId: string) =>
      Effect.map(call("organizations.get", { params: { organizationId } }), ({ cell }) => cell)

    const { cell: current, liveOrganizationId } = yield* call("organizations.get", { params: { organizationId: id } })
    const options = yield* optionsOf(id, current)
    if (cancel && options !== undefined) {
      yield* cancelMove(options)
      const { from } = options
      return yield* printDone({ id, cell: from }, `The move is given up. The organization stays in the cell ${from}.`)
    }
    if (typeof liveOrganizationId === "string") {
      return yield* new CommandFailed({
        message: `It is a sandbox, which moves with its live organization: care org move ${liveOrganizationId} --to ${to}.`
      })
    }
    // It is the first, so that its live organization never gets a second one.
    const sandboxId = yield* sandboxOf(databases, id)
    const sandbox = sandboxId === undefined ? undefined : yield* optionsOf(sandboxId, yield* cellOf(sandboxId))
    for (const each of [sandbox, options]) {
      if (each === undefined) continue
      yield* moveTo(each).pipe(
        Effect.onInterrupt(() =>
          printNotice("The move is broken off. Writes go on within a minute. Start it again, or add --cancel.")
        )
      )
    }
    yield* printDone(
      { id, cell: to },
      options === undefined
        ? `The organization is in the cell ${to}.`
        : `The organization is in the cell ${to}. Keys and callbacks that name ${options.from} find it.`
    )
  })
).pipe(
  Command.withDescription(
    "Move an organization to another cell, while it is used. Start it again if it was broken off"
  ),
  Command.withExamples([
    { command: "care org move 3b241101-e2bb-4255-8caf-4136c566a962 --to c2", description: "Move an organization" }
  ])
)
