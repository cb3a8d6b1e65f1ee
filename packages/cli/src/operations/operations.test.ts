import { endpoints } from "@care/domain/endpoints"
import { permissionOf } from "@care/domain/permissions"
import { assert, it } from "@effect/vitest"
import type { Command } from "effect/cli"
import { care, operations } from "../care.ts"

/** The operations that a command does more with than to call one. */
const others: Readonly<Record<string, string>> = {
  "staffAdmin.invite": "operator invite",
  "audit.list": "audit list",
  "audit.heads": "audit heads",
  "audit.links": "audit verify",
  "audit.checkpoints": "audit verify",
  "audit.strays": "audit verify",
  "auditArchives.chains": "audit archive",
  "auditArchives.piece": "audit archive",
  "auditArchives.check": "audit archive",
  "auditArchives.remove": "audit archive",
  "phiKeys.list": "keys status",
  "phiKeys.rotate": "keys rotate",
  "reconciliations.sweep": "reconcile"
}

const pathsOf = (command: Command.Command.Any, path = ""): ReadonlyArray<string> => [
  path,
  ...command.subcommands
    .flatMap(({ commands }) => commands)
    .flatMap((each) => pathsOf(each, path === "" ? each.name : `${path} ${each.name}`))
]

it("every operation of the admin API has a command", () => {
  const ids = endpoints
    .filter(({ endpoint, group }) => permissionOf(group, endpoint) !== undefined)
    .map(({ endpoint, group }) => `${group.identifier}.${endpoint.identifier}`)
  assert.isAbove(ids.length, 70)
  const called = new Set<string>(operations.map(({ id }) => id))
  assert.deepStrictEqual(
    ids.filter((id) => !called.has(id) && others[id] === undefined),
    []
  )
  const commands = pathsOf(care)
  assert.includeMembers([...commands], [...Object.values(others), ...operations.map(({ command }) => command)])
  assert.deepStrictEqual(
    Object.keys(others).filter((id) => !ids.includes(id)),
    []
  )
})
