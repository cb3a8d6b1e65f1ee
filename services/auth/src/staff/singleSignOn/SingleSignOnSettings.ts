import { Audit } from "@care/audit"
import {
  DomainTaken,
  type NewSingleSignOn,
  type OrganizationNotFound,
  type ProviderUnusable,
  type SingleSignOn,
  SingleSignOnNotFound
} from "@care/domain/auth"
import { RequestInvalid } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { Egress, inTransaction, organizationScope } from "@care/service-kit"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { AuthSettings } from "../../AuthSettings.ts"
import { Organizations } from "../../organizations/index.ts"
import { makeMembersRepo } from "../../people/index.ts"
import { consoleOf } from "../consoleOf.ts"
import { OpenIdProviders } from "./OpenIdProviders.ts"
import { makeSingleSignOnRepo, type SingleSignOnRow } from "./SingleSignOnRepo.ts"

// A provider of development, on this machine.
const isLocal = (issuer: string) => /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:|\/|$)/.test(issuer)

/** Which OpenID provider the staff of an organization sign in at. */
export class SingleSignOnSettings extends Context.Service<
  SingleSignOnSettings,
  {
    readonly get: (id: OrganizationId) => Effect.Effect<SingleSignOn, OrganizationNotFound | SingleSignOnNotFound>
    /** Reads the provider's discovery document, and stores the setting. Only operators give away a domain of another's staff. */
    readonly set: (
      id: OrganizationId,
      setting: NewSingleSignOn
    ) => Effect.Effect<SingleSignOn, OrganizationNotFound | RequestInvalid | ProviderUnusable | DomainTaken>
    readonly remove: (id: OrganizationId) => Effect.Effect<void, OrganizationNotFound | SingleSignOnNotFound>
  }
>()("@care/auth/staff/SingleSignOnSettings") {
  static readonly layer = Layer.effect(
    SingleSignOnSettings,
    Effect.gen(function* () {
      const audit = yield* Audit
      const egress = yield* Egress
      const members = yield* makeMembersRepo
      const organizations = yield* Organizations
      const providers = yield* OpenIdProviders
      const repo = yield* makeSingleSignOnRepo
      const sql = yield* SqlClient.SqlClient
      const { redirectUri } = consoleOf((yield* AuthSettings).publicUrl)

      const shown = (
        { clientId, clientSecret, createdAt, isRequired, issuer, organizationId, updatedAt }: SingleSignOnRow,
        domains: ReadonlyArray<string>
      ): SingleSignOn => ({
        organizationId,
        issuer,
        clientId,
        hasClientSecret: clientSecret !== null,
        domains,
        isRequired,
        redirectUri,
        createdAt,
        updatedAt
      })

      // Without a secret the stored one stays, but never for another issuer, who would get it.
      const secretOf = Effect.fnUntraced(function* (
        id: OrganizationId,
        { clientId, clientSecret, issuer }: NewSingleSignOn
      ) {
        if (clientSecret !== undefined) return clientSecret
        const stored = Option.filter(
          yield* repo.find(id),
          (former) => former.issuer === issuer && former.clientId === clientId
        )
        return Option.match(stored, { onNone: () => null, onSome: ({ clientSecret: secret }) => secret })
      })

      return SingleSignOnSettings.of({
        get: Effect.fn("SingleSignOnSettings.get")(function* (organizationId) {
          yield* organizations.get(organizationId)
          const found = yield* repo.find(organizationId)
          const setting = yield* Effect.fromOption(found, () => new SingleSignOnNotFound({ organizationId }))
          return shown(setting, yield* repo.domains(organizationId))
        }),
        set: Effect.fn("SingleSignOnSettings.set")(function* (organizationId, setting) {
          const { clientId, isRequired = false, issuer } = setting
          const domains = [...new Set(setting.domains)]
          yield* organizations.get(organizationId)
          yield* Effect.mapError(egress.check(issuer), ({ reason }) => RequestInvalid.inPayload("issuer", reason))
          if (!issuer.startsWith("https:") && !isLocal(issuer)) {
            return yield* RequestInvalid.inPayload("issuer", "must be an https URL")
          }
          if ((yield* organizationScope) !== undefined) {
            const foreign = yield* members.findForeignDomain(organizationId, domains)
            if (Option.isSome(foreign)) return yield* new DomainTaken(foreign.value)
          }
          const client = { organizationId, issuer, clientId, clientSecret: yield* secretOf(organizationId, setting) }
          yield* providers.check(client)
          const now = yield* DateTime.nowAsDate
          return yield* Effect.gen(function* () {
            const stored = yield* repo.store({
              ...client,
              isRequired,
              createdAt: now,
              updatedAt: now
            })
            yield* repo.replaceDomains(organizationId, domains)
            yield* audit.changed({ organizationId, action: "SINGLE_SIGN_ON_CHANGED" })
            return shown(stored, domains.toSorted())
          }).pipe(inTransaction(sql))
        }),
        remove: Effect.fn("SingleSignOnSettings.remove")(function* (organizationId) {
          yield* organizations.get(organizationId)
          if (!(yield* repo.remove(organizationId))) return yield* new SingleSignOnNotFound({ organizationId })
          yield* audit.changed({ organizationId, action: "SINGLE_SIGN_ON_CHANGED" })
        }, inTransaction(sql))
      })
    })
  ).pipe(Layer.provide(Organizations.layer))
}
