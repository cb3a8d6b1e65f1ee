import { randomUUID } from "node:crypto"
import type { NewMember, OrganizationNotFound } from "@care/domain/auth"
import { usStates } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { unlicensedState } from "@care/domain/magicValues"
import { execute, inTransaction } from "@care/service-kit"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Organizations, SandboxCatalogues } from "../organizations/index.ts"
import { Members, UserSnapshots } from "../people/index.ts"

// The domain is reserved, so nobody has these addresses.
const emailOf = (name: string, id: string) => `${name}.${id.slice(0, 8)}@sandbox.example.com`

const providerOf = (id: string): NewMember => ({
  email: emailOf("nora.hale", id),
  firstName: "Nora",
  lastName: "Hale",
  role: "PROVIDER",
  title: "Dr.",
  titleSuffix: "MD",
  npi: "1234567893",
  licensedStates: [...usStates.keys()].filter((state) => state !== unlicensedState)
})

// So that its cases can be assigned.
const careTeamOf = (sandboxId: OrganizationId): ReadonlyArray<NewMember> => [
  providerOf(sandboxId),
  { email: emailOf("omar.reyes", sandboxId), firstName: "Omar", lastName: "Reyes", role: "SUPPORT" },
  { email: emailOf("ida.lund", sandboxId), firstName: "Ida", lastName: "Lund", role: "ADMIN" }
]

/** The sandboxes of live organizations. */
export class Sandboxes extends Context.Service<
  Sandboxes,
  {
    /**
     * Returns the sandbox of a live organization, which gets one, with a care team and a copy of its catalogue, if it has none. Runs in a
     * transaction.
     */
    readonly require: (live: OrganizationId) => Effect.Effect<OrganizationId, OrganizationNotFound>
    /** Adds a provider to a sandbox that has none any more. */
    readonly requireProvider: (sandbox: OrganizationId) => Effect.Effect<void, OrganizationNotFound>
  }
>()("@care/auth/keys/Sandboxes") {
  static readonly layer = Layer.effect(
    Sandboxes,
    Effect.gen(function* () {
      const catalogues = yield* SandboxCatalogues
      const members = yield* Members
      const organizations = yield* Organizations
      const people = yield* UserSnapshots
      const sql = yield* SqlClient.SqlClient

      const add = (sandbox: OrganizationId, member: NewMember) =>
        members.add(sandbox, member).pipe(Effect.catchTags({ EmailTaken: Effect.die, PhoneNumberTaken: Effect.die }))

      const find = Effect.fnUntraced(function* (live: OrganizationId) {
        const id = yield* Effect.orDie(Effect.fromOption(yield* organizations.sandboxOf(live)))
        // It may be in another cell.
        yield* organizations.get(id)
        return id
      })

      return Sandboxes.of({
        require: Effect.fn("Sandboxes.require")(function* (live) {
          const added = yield* organizations.addSandbox(live)
          if (Option.isNone(added)) return yield* find(live)
          for (const member of careTeamOf(added.value)) yield* add(added.value, member)
          yield* catalogues.copy(added.value)
          return added.value
        }),

        requireProvider: Effect.fn("Sandboxes.requireProvider")(function* (sandbox) {
          const { mode } = yield* organizations.get(sandbox)
          if (mode !== "test") return yield* Effect.die(new Error("Only a sandbox gets a provider by itself"))
          yield* execute(sql`SELECT pg_advisory_xact_lock(hashtext('sandbox provider'), hashtext(${sandbox}))`)
          const providers = yield* people.providers(sandbox)
          if (providers.length === 0) yield* add(sandbox, providerOf(randomUUID()))
        }, inTransaction(sql))
      })
    })
  ).pipe(Layer.provide([Members.layer, Organizations.layer, UserSnapshots.layer]))
}
