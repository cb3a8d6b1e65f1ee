import type { LoadRequest } from "./load.ts"
import type { BenchOrganization } from "./makeOrganization.ts"
import { newCase } from "./newCase.ts"
import { readCase } from "./readCase.ts"

/** The measured kinds of requests. */
export const kinds = ["case detail", "case creation"] as const
export type Kind = (typeof kinds)[number]

/** Makes a request of each kind to an organization, a new one for each call. */
export const requestsTo = (
  { key, productId }: BenchOrganization,
  caseIds: ReadonlyArray<string>
): Readonly<Record<Kind, () => LoadRequest>> => ({
  "case detail": readCase(key, caseIds),
  "case creation": () => ({
    method: "POST",
    path: "/api/v1/cases",
    headers: { "cv-api-key": key, "content-type": "application/json" },
    body: JSON.stringify(newCase(productId))
  })
})
