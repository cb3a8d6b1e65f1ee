import type { NewMember, OrganizationNotFound } from "@care/domain/auth"
import { usStates } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { unlicensedState } from "@care/domain/magicValues"
import { Context, Effect, Layer, Option } from "effect"
import { Organizations, SandboxCatalogues } from "../organizations/index.ts"
import { Members } from "../people/index.ts"

// So that its cases can be assigned. The domain is reserved, so nobody has these addresses.
const careTeamOf = (sandboxId: OrganizationId): ReadonlyArray<NewMember> => {
  const emailOf = (name: string) => `${name}.${sandboxId.slice(0, 8)}@sandbox.example.com`
  return [
    {
      email: emailOf("nora.hale"),
      firstName: "Nora",
      lastName: "Hale",
      role: "PROVIDER",
      title: "Dr.",
      titleSuffix: "MD",
      npi: "1234567893",
      licensedStates: [...usStates.keys()].filter((state) => state !== unlicensedState)
    },
    { email: emailOf("omar.reyes"), firstName: "Omar", lastName: "Reyes", role: "SUPPORT" },
    { email: emailOf("ida.lund"), firstName: "Ida", lastName: "Lund", role: "ADMIN" }
  ]
}

/** The sandboxes of live organizations. */
export class Sandboxes extends Context.Service<
  Sandboxes,
  {
    /** Returns the sandbox of a live organization, which gets one, with a care team and a copy of its catalogue, if it has none. Runs in a transaction. */
    readonly require: (live: OrganizationId) => Effect.Effect<OrganizationId, OrganizationNotFound>
  }
>()("@care/auth/keys/Sandboxes") {
  static readonly layer = Layer.effect(
    Sandboxes,
    Effect.gen(function* () {
      const catalogues = yield* SandboxCatalogues
      const members = yield* Members
      const organizations = yield* Organizations

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
          for (const member of careTeamOf(added.value)) {
            yield* members
              .add(added.value, member)
              .pipe(Effect.catchTags({ EmailTaken: Effect.die, PhoneNumberTaken: Effect.die }))
          }
          yield* catalogues.copy(added.value)
          return added.value
        })
      })
    })
  ).pipe(Layer.provide([Members.layer, Organizations.layer]))
}
