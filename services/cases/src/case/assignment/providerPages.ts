import type { PersonSnapshot } from "@care/domain/auth"
import type { PagePosition } from "@care/domain/http"
import { OrganizationId, UserId } from "@care/domain/ids"
import { oldest } from "@care/service-kit"
import { type Effect, Schema } from "effect"

/** A page of the cases that a change of a provider affects, after the last case of the page before. */
export const ProviderPage = Schema.Struct({
  organizationId: OrganizationId,
  providerId: UserId,
  version: Schema.Int,
  page: Schema.Int,
  after: Schema.Struct({ createdAt: Schema.Date, id: Schema.String })
})
export type ProviderPage = typeof ProviderPage.Type

interface Queue {
  readonly offer: (page: ProviderPage, options: { readonly key: string }) => Effect.Effect<void>
}

/**
 * Returns the functions that offer the first page, once for each version of a provider, and the next. A page that is repeated after a crash
 * does not offer the next one again.
 */
export const pagesOf = ({ offer }: Queue) => {
  const offerPage = (page: ProviderPage) => offer(page, { key: `${page.providerId} ${page.version} ${page.page}` })
  return {
    begin: ({ organizationId, person, version }: PersonSnapshot) =>
      offerPage({ organizationId, providerId: person.id, version, page: 0, after: oldest }),
    offerNext: (done: ProviderPage, after: PagePosition) => offerPage({ ...done, page: done.page + 1, after })
  }
}
