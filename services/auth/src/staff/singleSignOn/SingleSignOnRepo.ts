import { DomainTaken } from "@care/domain/auth"
import { nobodysId, OrganizationId } from "@care/domain/ids"
import { type OpenedRow, ofNobody, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { affects, execute, onViolation, rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

export const SingleSignOnRow = sealedRow("single_sign_ons", ["organizationId"], {
  organizationId: OrganizationId,
  issuer: Schema.String,
  clientId: Schema.String,
  clientSecret: sealed(Schema.NullOr(Schema.String)),
  isRequired: Schema.Boolean,
  createdAt: Schema.Date,
  updatedAt: Schema.Date
})
export type SingleSignOnRow = OpenedRow<typeof SingleSignOnRow>

/** What the provider's answer to a sign-in is checked with. */
const SignOn = Schema.Struct({
  forOrganizationId: OrganizationId,
  nonce: Schema.String,
  codeVerifier: Schema.String,
  /** The page of the console to which it leads. */
  next: Schema.NullOr(Schema.String),
  expiresAt: Schema.Date
})
export type SignOn = typeof SignOn.Type

interface NewSignOn extends SignOn {
  readonly stateHash: string
  readonly browserHash: string
}

const domainRows = rowsOf(Schema.Struct({ domain: Schema.String }))
const owners = rowsOf(Schema.Struct({ organizationId: OrganizationId }))
const signOns = rowsOf(SignOn)

export const makeSingleSignOnRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const settings = yield* sealedRowsOf(SingleSignOnRow)
  const columns = sql.literal("organization_id, issuer, client_id, client_secret, is_required, created_at, updated_at")
  const removeDomains = (organizationId: OrganizationId) =>
    execute(sql`DELETE FROM single_sign_on_domains WHERE organization_id = ${organizationId}`)

  return {
    find: (organizationId: OrganizationId) =>
      settings.first(sql`SELECT ${columns} FROM single_sign_ons WHERE organization_id = ${organizationId}`),

    domains: (organizationId: OrganizationId) =>
      Effect.map(
        domainRows.all(sql`
          SELECT domain FROM single_sign_on_domains WHERE organization_id = ${organizationId} ORDER BY domain
        `),
        (rows) => rows.map(({ domain }) => domain)
      ),

    /** Returns the active organization whose domain it is. Who signs in names no organization. */
    findOwner: (domain: string) =>
      owners.first(sql`
        SELECT d.organization_id FROM single_sign_on_domains d JOIN organizations o ON o.id = d.organization_id
        WHERE d.domain = ${domain} AND NOT o.is_disabled
      `),

    /** Stores a setting in the place of the former one, and locks it until the transaction ends. Keeps the time when that was made. */
    store: (setting: SingleSignOnRow) =>
      settings.one(sql`
        INSERT INTO single_sign_ons ${sql.insert(settings.seal(ofNobody, setting))}
        ON CONFLICT (organization_id) DO UPDATE SET
          issuer = excluded.issuer, client_id = excluded.client_id, client_secret = excluded.client_secret,
          is_required = excluded.is_required, updated_at = excluded.updated_at
        RETURNING ${columns}
      `),

    /** Replaces the domains of an organization, one after the other and sorted, so that parallel callers wait and never deadlock. */
    replaceDomains: Effect.fnUntraced(function* (organizationId: OrganizationId, domains: ReadonlyArray<string>) {
      yield* removeDomains(organizationId)
      for (const domain of domains.toSorted()) {
        yield* execute(
          sql`INSERT INTO single_sign_on_domains ${sql.insert({ organizationId, domain })}`.pipe(
            onViolation("single_sign_on_domains_pkey", () => new DomainTaken({ domain }))
          )
        )
      }
    }),

    remove: (organizationId: OrganizationId) =>
      Effect.andThen(
        removeDomains(organizationId),
        affects(sql`DELETE FROM single_sign_ons WHERE organization_id = ${organizationId} RETURNING organization_id`)
      ),

    /** Stores a sign-in, unless `limit` of the organization are in progress. */
    begin: ({ forOrganizationId, ...signOn }: NewSignOn, now: Date, limit: number) =>
      affects(sql`
        INSERT INTO sign_ons_in_progress (
          organization_id, state_hash, for_organization_id, browser_hash, nonce, code_verifier, next, expires_at
        )
        SELECT ${nobodysId}::uuid, ${signOn.stateHash}, ${forOrganizationId}::uuid, ${signOn.browserHash}, ${signOn.nonce},
               ${signOn.codeVerifier}, ${signOn.next}::text, ${signOn.expiresAt}::timestamptz
        WHERE NOT EXISTS (
          SELECT FROM sign_ons_in_progress
          WHERE organization_id = ${nobodysId} AND for_organization_id = ${forOrganizationId} AND expires_at > ${now}
          OFFSET ${limit - 1}
        )
        RETURNING state_hash
      `),

    /** Removes the sign-in that a browser began. One of parallel callers gets it. */
    take: (stateHash: string, browserHash: string) =>
      signOns.first(sql`
        DELETE FROM sign_ons_in_progress
        WHERE organization_id = ${nobodysId} AND state_hash = ${stateHash} AND browser_hash = ${browserHash}
        RETURNING for_organization_id, nonce, code_verifier, next, expires_at
      `)
  }
})
