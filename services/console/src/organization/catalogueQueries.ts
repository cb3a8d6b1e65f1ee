import { CatalogueApi } from "@care/domain/admin"
import type { PagePosition } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { queryOptions } from "@tanstack/react-query"
import { Effect } from "effect"
import { clientOf } from "../client/clientOf.ts"
import { readAll } from "../client/readAll.ts"

export const { catalogue } = Effect.runSync(clientOf(CatalogueApi))

/** The keys of what is read of products, forms and bundles. */
export const productsKey = (organizationId: OrganizationId) => ["products", organizationId] as const
export const formsKey = (organizationId: OrganizationId) => ["forms", organizationId] as const
export const bundlesKey = (organizationId: OrganizationId) => ["bundles", organizationId] as const

const pageAfter = (cursor: PagePosition | undefined) => ({
  limit: 100,
  isArchived: "false" as const,
  ...(cursor !== undefined && { cursor })
})

/** All products, forms and bundles that are not archived, to choose from. */
export const allProducts = (organizationId: OrganizationId) =>
  queryOptions({
    queryKey: [...productsKey(organizationId), "all"],
    queryFn: ({ signal }) =>
      readAll(
        (cursor: PagePosition | undefined) =>
          catalogue.listProducts({ params: { organizationId }, query: pageAfter(cursor) }),
        signal
      )
  })

export const allForms = (organizationId: OrganizationId) =>
  queryOptions({
    queryKey: [...formsKey(organizationId), "all"],
    queryFn: ({ signal }) =>
      readAll(
        (cursor: PagePosition | undefined) =>
          catalogue.listForms({ params: { organizationId }, query: pageAfter(cursor) }),
        signal
      )
  })

export const allBundles = (organizationId: OrganizationId) =>
  queryOptions({
    queryKey: [...bundlesKey(organizationId), "all"],
    queryFn: ({ signal }) =>
      readAll(
        (cursor: PagePosition | undefined) =>
          catalogue.listBundles({ params: { organizationId }, query: pageAfter(cursor) }),
        signal
      )
  })
