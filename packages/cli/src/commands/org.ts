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
    const { cancelMove, moveOrganization: moveTo, moveSteps, unfinishedFrom } = yield* mover
    const { call } = yield* AdminClient
    const { cell: current } = yield* call("organizations.get", { params: { organizationId: id } })
    const from = current === to ? yield* unfinishedFrom(databases, id, to) : String(current ?? "c1")
    if (from === undefined) return yield* printDone({ id, cell: to }, `The organization is in the cell ${to}.`)
    const source = yield* databasesOf(from)
    const report = (text: string, step: number) => printStep(step, moveSteps, text)
    const options = { organizationId: id, from, to, source, target, report }
    if (cancel) {
      yield* cancelMove(options)
      return yield* printDone({ id, cell: from }, `The move is given up. The organization stays in the cell ${from}.`)
    }
    yield* moveTo(options).pipe(
      Effect.onInterrupt(() =>
        printNotice("The move is broken off. Writes go on within a minute. Start it again, or add --cancel.")
      )
    )
    yield* printDone(
      { id, cell: to },
      `The organization is in the cell ${to}. Keys and callbacks that name ${from} find it.`
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
